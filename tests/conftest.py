"""Settings of the whole suite: one build cache for all workers, no deadlines on busy machines."""

import os
from pathlib import Path

from hypothesis import settings

# Builds are named by their content, so that every worker and every later run may share them.
os.environ.setdefault(
    "EOMC_CACHE_DIR", str(Path(__file__).parent.parent / ".pytest_cache" / "builds")
)

settings.register_profile("eomc", deadline=None, print_blob=True)
settings.load_profile("eomc")
