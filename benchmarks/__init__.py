"""Speed and size of the emitted code beside its peers: ``python -m benchmarks``."""
