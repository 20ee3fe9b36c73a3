"""Heroes on paper, in the terminal: made step by step, tried out, printed."""
