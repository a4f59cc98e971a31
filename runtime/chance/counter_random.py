"""Random numbers as a function of (seed, stream, run), whoever draws them and in which order.

Philox 4x32 with ten rounds, over arrays of counters: what a run draws depends on its number alone.
Reference: Salmon, Moraes, Dror and Shaw, *Parallel random numbers: as easy as 1, 2, 3*, SC 2011.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from eomc.binding.arrays import Array

Words = NDArray[np.uint64]

_M = np.array([0xD2511F53, 0xCD9E8D57], np.uint64)
_W = np.array([0x9E3779B9, 0xBB67AE85], np.uint64)
_LOW, _HALF = np.uint64(0xFFFFFFFF), np.uint64(32)
_ROUNDS = 10


def philox(counter: Words, key: Words) -> Words:
    """Four words (4, n) of 32 bits of counters (4, n) and a key (2,), kept in 64 bits."""
    c0, c1, c2, c3 = counter
    k0, k1 = key
    for _ in range(_ROUNDS):
        first, second = _M[0] * c0, _M[1] * c2
        c0, c1, c2, c3 = (
            (second >> _HALF) ^ c1 ^ k0,
            second & _LOW,
            (first >> _HALF) ^ c3 ^ k1,
            first & _LOW,
        )
        k0, k1 = (k0 + _W[0]) & _LOW, (k1 + _W[1]) & _LOW
    return np.array([c0, c1, c2, c3])


def uniform(seed: int, stream: int, runs: NDArray[np.int64], size: int) -> Array:
    """(len(runs), size) numbers in (0, 1), 53 bits each; row by row those of the runs.

    >>> a = uniform(7, 0, np.arange(5), 3)
    >>> bool((a[3] == uniform(7, 0, np.array([3]), 3)).all())
    True
    """
    blocks = (size + 1) // 2
    run = np.repeat(np.asarray(runs, np.uint64), blocks)
    block = np.tile(np.arange(blocks, dtype=np.uint64), len(runs))
    counter = np.array([block, np.full_like(block, stream), run & _LOW, run >> _HALF])
    key = np.array([seed & 0xFFFFFFFF, seed >> 32 & 0xFFFFFFFF], np.uint64)
    a, b, c, d = philox(counter, key)
    words = np.array([a << _HALF | b, c << _HALF | d]).T.reshape(len(runs), 2 * blocks)[:, :size]
    found: Array = ((words >> np.uint64(11)).astype(np.float64) + 0.5) * 2.0**-53
    return found
