"""The seed of everything that the tests draw at random.

Without EOMC_SEED the same examples in every run; with it others, the same for the same number.
"""

from __future__ import annotations

import os

__all__ = ["SEED", "is_fresh"]

is_fresh = bool(os.environ.get("EOMC_SEED"))
SEED = int(os.environ.get("EOMC_SEED") or 0)
