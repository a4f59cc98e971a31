"""Arrays over nodes: of numbers, of places among unknowns and rows, of truth values."""

from typing import Any, TypeAlias

from numpy.typing import NDArray

Array: TypeAlias = NDArray[Any]
