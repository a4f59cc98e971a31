"""Bodies beyond the range of a theory, and since when."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping

from eomc.binding.arrays import Array
from eomc.runtime.output.warning_level import outside

__all__ = ["warn_beyond"]


def warn_beyond(
    reached: Callable[[Array], Mapping[str, float]],
    is_beyond: Callable[[float], bool],
    sentence: Callable[[str, float, str], str],
    q: Array,
    t: Array | None,
) -> None:
    """Warn, once for each body, by the sentence of its name, what it reached and since when.

    `reached` tells what each body reaches at most over configurations; `t` are the times of
    configurations q (n, nq), if they are those of a run.
    """
    for name, value in reached(q).items():
        if is_beyond(value):
            since = ""
            if t is not None:
                rows = zip(q, t, strict=True)
                first = next((time for row, time in rows if is_beyond(reached(row)[name])), t[-1])
                since = f", from t = {float(first):g} s"
            warnings.warn(sentence(name, value, since), UserWarning, stacklevel=outside())
