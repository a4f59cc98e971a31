"""Builds the package `eomc` out of the rooms of this house.

The rooms stand side by side at the top of the tree; each becomes a subpackage of `eomc`.
"""

from setuptools import find_packages, setup

ROOMS = ("derive", "codegen", "runtime", "systems")

packages = ["eomc", *(f"eomc.{name}" for name in find_packages("eomc"))]
for room in ROOMS:
    packages += [f"eomc.{room}", *(f"eomc.{room}.{name}" for name in find_packages(room))]

setup(
    packages=packages,
    package_dir={"eomc": "eomc", **{f"eomc.{room}": room for room in ROOMS}},
    package_data={
        "eomc": ["py.typed"],
        "eomc.codegen": ["templates/*", "**/templates/*", "**/*.c", "**/*.h", "**/*.pyx"],
        "eomc.systems": ["*.toml", "**/*.toml"],
    },
)
