"""Known names near to a misspelt one, for messages of errors."""

from collections.abc import Collection, Iterable, Sequence
from difflib import get_close_matches

_SHOWN = 12


def near_names(name: str, known: Iterable[str]) -> str:
    """End of an error message about an unknown name.

    >>> near_names("mas_matrix", ["mass_matrix", "bias"])
    "did you mean 'mass_matrix'?"
    >>> near_names("rk45", ["RK45", "rk4"])
    "did you mean 'RK45'?"
    >>> near_names("radua", ["Radau", "BDF"])
    "did you mean 'Radau'?"
    >>> near_names("x", ["mass_matrix", "bias"])
    'valid: mass_matrix, bias'
    """
    names = list(dict.fromkeys(known))
    close = [known for known in names if known.lower() == name.lower()]
    close = close or get_close_matches(name, names, n=3) or _near_in_any_case(name, names)
    if close:
        return f"did you mean {' or '.join(map(repr, close))}?"
    more = f", ... ({len(names)} in all)" if len(names) > _SHOWN else ""
    return f"valid: {', '.join(names[:_SHOWN]) or 'none'}{more}"


def _near_in_any_case(name: str, names: Sequence[str]) -> list[str]:
    near = get_close_matches(name.lower(), [known.lower() for known in names], n=3)
    return [known for known in names if known.lower() in near]


def require_known(names: Iterable[str], known: Collection[str], what: str) -> None:
    """Raise ValueError, which begins with `what`, for a name that is not known."""
    for name in names:
        if name not in known:
            raise ValueError(f"{what} {name!r}; {near_names(str(name), known)}")


def places_of(names: Iterable[str], known: Sequence[str], what: str) -> list[int]:
    """Places of names among the known ones; ValueError as of `require_known`."""
    wanted = list(names)
    require_known(wanted, known, what)
    return [known.index(name) for name in wanted]
