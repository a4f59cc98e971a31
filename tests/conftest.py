"""Settings of the whole suite: one build cache for all workers, no deadlines on busy machines."""

import os
from pathlib import Path

from hypothesis import settings

# Builds are named by their content, so that every worker and every later run may share them.
os.environ.setdefault(
    "EOMC_CACHE_DIR", str(Path(__file__).parent.parent / ".pytest_cache" / "builds")
)

# What is built for a test is called a few times: the compiler's time is what counts.
os.environ.setdefault("EOMC_WRAPPER_FLAGS", "-O0")

# The same examples in every run; HYPOTHESIS_PROFILE=random looks for others.
settings.register_profile("eomc", deadline=None, print_blob=True, derandomize=True)
settings.register_profile("random", deadline=None, print_blob=True)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "eomc"))
