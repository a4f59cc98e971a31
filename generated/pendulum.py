"""Writes the pendulum's emitted files beside this script, where a test compares them.

Run it after a wanted change of the emitted text, and read the difference.
"""

import sys
from pathlib import Path

from eomc.codegen import emit, write

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "tests"))

from small_programs.pendulum import pendulum  # noqa: E402

write(emit(pendulum(), "double", prefix="pendulum_double", python=True), HERE / "pendulum_double")
write(emit(pendulum(), "float", prefix="pendulum_float"), HERE / "pendulum_float")
