"""What a misspelt name may have meant."""

from collections.abc import Iterable
from difflib import get_close_matches

_SHOWN = 12


def near_names(name: str, known: Iterable[str]) -> str:
    """End of an error message about an unknown name.

    >>> near_names("mas_matrix", ["mass_matrix", "bias"])
    "did you mean 'mass_matrix'?"
    >>> near_names("x", ["mass_matrix", "bias"])
    'valid: mass_matrix, bias'
    """
    names = list(known)
    close = get_close_matches(name, names, n=3)
    if close:
        return f"did you mean {' or '.join(map(repr, close))}?"
    more = f", ... ({len(names)} in all)" if len(names) > _SHOWN else ""
    return f"valid: {', '.join(names[:_SHOWN]) or 'none'}{more}"
