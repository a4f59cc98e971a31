"""Kernels of a compiled model on a CUDA device: arrays of many states that stay there."""
