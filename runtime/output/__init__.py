"""Output of the program besides results: signs of progress, and files that appear whole."""
