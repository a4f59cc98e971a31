"""A function with its derivatives as a shared library that CasADi or JAX calls, without Python."""
