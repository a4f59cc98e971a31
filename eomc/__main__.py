"""``python -m eomc``."""

import sys

from eomc.cli import main

sys.exit(main())
