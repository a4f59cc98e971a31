"""Compiled functions inside packages that differentiate: CasADi, JAX, PyTorch."""
