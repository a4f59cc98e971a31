"""Builds the extension module pendulum_double_module: pip install . (or python setup.py build_ext --inplace).

Needs Cython, NumPy and a C compiler; the module itself needs NumPy alone.
"""

from glob import glob

import numpy
from Cython.Build import cythonize
from setuptools import Extension, setup

model = [file for file in sorted(glob("pendulum_double*.c")) if file not in ("pendulum_double_module.c", "pendulum_double_table.c")]
extension = Extension(
    "pendulum_double_module",
    ["pendulum_double_module.pyx", "pendulum_double_table.c", *(model if len(model) > 1 else [])],
    include_dirs=[".", numpy.get_include()],
    extra_compile_args=["-O2", "-ffp-contract=off"],
)
setup(name="pendulum_double_module", version="0", py_modules=[], ext_modules=cythonize([extension]))
