"""Combinations of parameters that runs identify, in words.

With J D = U S V^T, D the sizes of the parameters, directions v of vanishing singular values change
no output. A combination f(p) is identified where grad f is perpendicular to all of them; products
of powers of up to four parameters, and sums of two such, are tried from the simplest on. Failing
that, combinations are linear: exact for inertial numbers, near the estimates for others.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations, product

import numpy as np

from eomc.binding.arrays import Array
from eomc.runtime.identification.base_parameters import independent

RANK = 1e-8
"""Singular values below this fraction of the largest count as zero."""

_PERPENDICULAR, _DEGREE, _MOST = 1e-5, 3, 4

Combination = tuple[str, float, Array]
"""The text of f, f(p) and its gradient."""


def null_space(J: Array, scale: Array) -> Array:
    """(n, k): directions of theta, in units of `scale`, that change no residual."""
    if not J.shape[1]:
        return np.zeros((0, 0))
    scaled = J * scale
    size = np.linalg.norm(scaled, axis=0)
    size = np.where(size > 0, size, 1.0)
    _, s, V = np.linalg.svd(scaled / size)
    rank = int((s > RANK * s.max(initial=0.0)).sum())
    null = V[rank:].T / size[:, None]
    found: Array = np.linalg.qr(null)[0] if null.size else null
    return found


def combined(names: Sequence[str], values: Array, null: Array) -> list[Combination]:
    """Simplest independent combinations of the parameters in the null space (in units of their
    values) that are identified; empty where none is found."""
    count = len(names) - null.shape[1]
    found: list[Combination] = []
    if len(names) > _MOST or not count:
        return found
    kept = np.zeros((0, len(names)))
    for text, f, relative in _candidates(names, values):
        size = np.linalg.norm(relative)
        if np.abs(relative @ null).max() > _PERPENDICULAR * size:
            continue
        rows = np.vstack([kept, relative / size])
        if np.linalg.svd(rows, compute_uv=False)[-1] > 1e-3 / len(rows):
            kept = rows
            found.append((text, f, relative / values))
            if len(found) == count:
                return found
    return []


def _candidates(names: Sequence[str], values: Array) -> Iterator[tuple[str, float, Array]]:
    """(text, f, gradient by relative changes), simplest first."""
    powers = [e for e in product(range(_DEGREE + 1), repeat=len(names)) if 0 < sum(e) <= _DEGREE]
    powers.sort(key=lambda e: (sum(e), [-k for k in e]))
    terms = [
        (_text(names, e), float(np.prod(values ** np.array(e))), np.array(e, dtype=np.float64))
        for e in powers
    ]
    for text, f, e in terms:
        yield text, f, f * e
    pairs = sorted(
        combinations(range(len(terms)), 2), key=lambda p: sum(terms[k][2].sum() for k in p)
    )
    for a, b in pairs:
        (one, f, e), (other, g, d) = sorted((terms[a], terms[b]), key=lambda term: -term[2].sum())
        yield f"{one} + {other}", f + g, f * e + g * d


def _text(names: Sequence[str], powers: Sequence[int]) -> str:
    return "*".join(
        name if k == 1 else f"{name}**{k}" for name, k in zip(names, powers, strict=True) if k
    )


def in_words(
    names: Sequence[str], values: Array, J: Array, scale: Array, are_inertial: Sequence[bool]
) -> tuple[list[str], list[Combination], Array]:
    """(sentences, combinations, null space) of what runs with the Jacobian J do not identify."""
    null = null_space(J, scale)
    involved: list[int] = np.flatnonzero(np.linalg.norm(null, axis=1) > 1e-7).tolist()
    if not involved:
        return [], [], null
    some = [names[k] for k in involved]
    found, where = combined(some, values[involved], null[involved]), ""
    if not found:
        base = independent(tuple(some), J[:, involved] * scale[involved])
        rows = base.matrix / scale[involved]
        leading = [some.index(name) for name in base.names]
        rows = rows / rows[np.arange(len(rows)), leading][:, None]
        texts = replace(base, matrix=np.where(np.abs(rows) > 1e-6, rows, 0)).to_text().splitlines()
        numbers = (rows @ values[involved]).tolist()
        found = list(zip(texts, numbers, rows, strict=True))
        where = "" if all(are_inertial[k] for k in involved) else ", near these values"
    told = " and ".join(text for text, _, _ in found)
    only = f"only {told}{where}" if told else "nothing"
    sentence = f"of {', '.join(some)} these runs identify {only}"
    wide = []
    for text, f, gradient in found:
        whole = np.zeros(len(names))
        whole[involved] = gradient
        wide.append((text, f, whole))
    return [sentence], wide, null
