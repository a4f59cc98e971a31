"""Builds the package `eomc` out of the rooms of this house.

The rooms stand side by side at the top of the tree; each becomes a subpackage of `eomc`.
"""

from setuptools import find_namespace_packages, setup

ROOMS = ("derive", "codegen", "runtime", "building", "verify", "systems")


def folders(root: str) -> list[str]:
    """Dotted names of all folders below `root`, those of templates and models included."""
    return find_namespace_packages(root, exclude=["*__pycache__*"])


packages = ["eomc", *(f"eomc.{name}" for name in folders("eomc"))]
for room in ROOMS:
    packages += [f"eomc.{room}", *(f"eomc.{room}.{name}" for name in folders(room))]

setup(
    packages=packages,
    package_dir={"eomc": "eomc", **{f"eomc.{room}": room for room in ROOMS}},
    package_data={
        "": [
            *("py.typed", "*.pyi", "*.c", "*.h", "*.pyx", "*.txt", "*.toml", "*.json", "*.md"),
            *("*.js", "*.mjs", "*.css", "*.html", "*.png", "*.ld"),
        ]
    },
)
