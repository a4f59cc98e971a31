"""From topology to symbolic equations: `eomc.equations`."""

from __future__ import annotations

import sys

if getattr(sys.modules["eomc"], "__file__", None) is None:  # a folder of that name
    raise ImportError(
        f"{sys.modules['eomc'].__path__[0]} is a source tree of eomc, not the package: Python "
        "found it by its name beside your program or on PYTHONPATH; start elsewhere, or put the "
        "tree itself on PYTHONPATH"
    )
