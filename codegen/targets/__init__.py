"""Target languages: one file each."""

from importlib import import_module
from pkgutil import iter_modules

for _file in iter_modules(__path__):
    import_module(f"{__name__}.{_file.name}")
