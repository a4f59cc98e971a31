"""Numbers drawn by chance that depend on a seed and a count alone, on every machine alike."""
