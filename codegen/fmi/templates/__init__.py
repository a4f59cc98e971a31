"""C of FMUs, as text one can read as the file it makes."""
