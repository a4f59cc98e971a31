"""Type of the arrays of numbers that all rooms exchange."""

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
"""Real numbers in double precision, of any shape."""
