# cython: language_level=3, binding=False
# cython: boundscheck=False, wraparound=False
"""${title}

Compiled functions of the model: NumPy arrays in, NumPy arrays out. Every argument may carry leading
batch dimensions, which broadcast; out= takes the result, or a tuple of them. Large batches run on all
cores, or on as many as threads= says. The GIL is released while C runs, except for single calls of
less than about a microsecond. A failing function raises FloatingPointError.
"""

${binding}
cdef extern from "eomc_model.h":
    const _Table _MODEL "eomc_model"

cdef _Library _library = _library_of(&_MODEL, None, __file__)
manifest = _library.manifest
globals().update(_library.functions)
