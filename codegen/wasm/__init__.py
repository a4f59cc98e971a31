"""WebAssembly: the C files of a model compiled without a C library, for browsers and Node."""
