# cython: language_level=3, binding=False
# cython: boundscheck=False, wraparound=False
"""Python functions of any compiled model: NumPy arrays in, NumPy arrays out.

A model's shared library exports one table (`eomc_model.h`); `opened` makes a `Library` of it, whose
attributes are the functions of the model. Every argument may carry leading batch dimensions, which
broadcast; out= takes the result, or a tuple of them. Large batches run on all cores, or on as many as
threads= says. The GIL is released while C runs, except for single calls of less than about a
microsecond. A failing function raises FloatingPointError.
"""

include "declarations.pxi"
include "library.pxi"
include "functions.pxi"
include "solvers.pxi"
include "integrators.pxi"
include "rollouts.pxi"

cdef extern from *:
    """
    #ifndef EOMC_SOURCE
    #define EOMC_SOURCE ""
    #endif
    """
    const char *_SOURCE "EOMC_SOURCE"

VERSION = _VERSION
SOURCE = _SOURCE.decode()


def opened(size_t address, keep, file):
    """The model whose table stands at `address`; `keep` holds its shared library, `file`.

    Raises ValueError where there is no table, or one of another version or scalar type.
    """
    return _library_of(<const _Table *>address, keep, file)
