"""Heroes before they come to a table: what is legal, what would repair it, drafts, files, samples, random ones."""
