"""Builds the package `eomc` and its binding.

The subpackages stand side by side at the top of the tree; `eomc/` has a symbolic link to each, so
that Python, type checkers and editors see the package as it is installed.
"""

import runpy
import sys

import numpy
from Cython.Build import cythonize
from setuptools import Extension, find_namespace_packages, setup


def binding() -> list[Extension]:
    """The extension module that calls compiled models; without a compiler eomc does without, and
    compiles it when there is one."""
    digest = runpy.run_path("eomc/binding/files.py")["digest"]()
    made = cythonize(
        Extension(
            "eomc._binding",
            ["eomc/binding/binding.pyx"],
            include_dirs=[numpy.get_include(), "eomc/binding"],
            define_macros=[
                ("EOMC_SOURCE", f'"{digest}"'),
                ("NPY_NO_DEPRECATED_API", "NPY_2_0_API_VERSION"),
            ],
            # Its own code runs for tens of nanoseconds at any level.
            extra_compile_args=[] if sys.platform == "win32" else ["-O2", "-g0", "-w"],
        ),
        build_dir="build/binding",
    )
    for extension in made:
        extension.optional = True
    return list(made)


setup(
    ext_modules=binding(),
    packages=find_namespace_packages(include=["eomc", "eomc.*"], exclude=["*__pycache__*"]),
    package_data={
        "": [
            *("py.typed", "*.pyi", "*.c", "*.cu", "*.h", "*.pyx", "*.pxi", "*.txt"),
            *("*.toml", "*.json", "*.md", "*.js", "*.mjs", "*.css", "*.html", "*.png", "*.ld"),
        ]
    },
)
