"""Builds the package `eomc` out of the rooms of this house.

The rooms stand side by side at the top of the tree; each becomes a subpackage of `eomc`.
"""

import runpy
import sys

import numpy
from Cython.Build import cythonize
from setuptools import Extension, find_namespace_packages, setup

ROOMS = ("binding", "meshes", "derive", "codegen", "runtime", "building", "verify", "systems")


def folders(root: str) -> list[str]:
    """Dotted names of all folders below `root`, those of templates and models included."""
    return find_namespace_packages(root, exclude=["*__pycache__*"])


packages = ["eomc", *(f"eomc.{name}" for name in folders("eomc"))]
for room in ROOMS:
    packages += [f"eomc.{room}", *(f"eomc.{room}.{name}" for name in folders(room))]


def binding() -> list[Extension]:
    """The extension module that calls compiled models; without a compiler eomc does without, and
    compiles it when there is one."""
    digest = runpy.run_path("binding/files.py")["digest"]()
    made = cythonize(
        Extension(
            "eomc._binding",
            ["binding/binding.pyx"],
            include_dirs=[numpy.get_include(), "binding"],
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
    packages=packages,
    package_dir={"eomc": "eomc", **{f"eomc.{room}": room for room in ROOMS}},
    package_data={
        "": [
            *("py.typed", "*.pyi", "*.c", "*.h", "*.pyx", "*.pxi", "*.txt"),
            *("*.toml", "*.json", "*.md", "*.js", "*.mjs", "*.css", "*.html", "*.png", "*.ld"),
        ]
    },
)
