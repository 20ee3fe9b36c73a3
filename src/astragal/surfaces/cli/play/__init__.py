"""The live prompt of `astragal play`: plain words, answers and offers."""
