"""CUDA C++: kernels of functions and of runs, one state a thread; compiled without a device."""
