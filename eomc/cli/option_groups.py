"""Options that several commands share are the fields of a dataclass: a group."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import MISSING, fields, is_dataclass
from typing import Any, get_type_hints


def with_groups(command: Callable[..., Any]) -> Callable[..., Any]:
    """Decorator: on the command line, parameters of `command` that are groups are their fields.

    The first group's stand last, but what must be given first, of the first group before others.
    """
    own = inspect.signature(command, eval_str=True).parameters
    groups: dict[str, Any] = {
        name: p.annotation for name, p in own.items() if is_dataclass(p.annotation)
    }

    def flat(**given: Any) -> None:
        for name, group in groups.items():
            given[name] = group(**{field.name: given.pop(field.name) for field in fields(group)})
        command(**given)

    def is_given(option: inspect.Parameter) -> bool:
        return option.default is not option.empty

    first, *rest = (
        _options(groups[name]) if name in groups else [parameter.replace(kind=_KEYWORD)]
        for name, parameter in own.items()
    )
    options = [option for several in (*rest, first) for option in several]
    options.sort(
        key=lambda option: (is_given(option), not is_given(option) and option not in first)
    )
    flat.__name__, flat.__doc__ = command.__name__, command.__doc__
    flat.__signature__ = inspect.Signature(options)  # type: ignore[attr-defined]
    flat.__annotations__ = {option.name: option.annotation for option in options}
    return flat


_KEYWORD = inspect.Parameter.KEYWORD_ONLY


def _options(group: Any) -> list[inspect.Parameter]:
    hints = get_type_hints(group, include_extras=True)
    return [
        inspect.Parameter(
            field.name,
            _KEYWORD,
            default=inspect.Parameter.empty if field.default is MISSING else field.default,
            annotation=hints[field.name],
        )
        for field in fields(group)
    ]
