"""The method that declares an element of a kind in a model, and the table that holds them."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from types import MethodType
from typing import TYPE_CHECKING, Any, Generic, ParamSpec, TypeVar, overload

from eomc.derive.fields.field import fields_of
from eomc.derive.language.errors import declaring
from eomc.derive.language.renamed import new_key

if TYPE_CHECKING:
    from eomc.derive.elements.element import Element

__all__ = ["Declares", "Table"]

Arguments = ParamSpec("Arguments")
Kind = TypeVar("Kind", bound="Element")


class Declares(Generic[Arguments]):
    """A method of a model with the arguments of a record, which it makes and adds."""

    def __init__(self, kind: Callable[Arguments, Element]) -> None:
        self.declare = _declaration(kind)  # type: ignore[arg-type]  # of records only

    @overload
    def __get__(self, model: None, owner: type) -> Callable[..., None]: ...
    @overload
    def __get__(self, model: object, owner: type) -> Callable[Arguments, None]: ...
    def __get__(self, model: Any, owner: type) -> Any:
        return self.declare if model is None else MethodType(self.declare, model)


class Table(Generic[Kind]):
    """The elements of one kind in a model, by name: what `model.of(kind)` is, under a word."""

    def __init__(self, kind: type[Kind] | str) -> None:
        self.word = kind if isinstance(kind, str) else kind.word

    @overload
    def __get__(self, model: None, owner: type) -> Table[Kind]: ...
    @overload
    def __get__(self, model: object, owner: type) -> dict[str, Kind]: ...
    def __get__(self, model: Any, owner: type) -> Any:
        return self if model is None else model.table(self.word)


def _declaration(kind: type[Element]) -> Callable[..., None]:
    """The function that makes an element of a kind and adds it to a model."""

    def declare(model: Any, name: str, *arguments: Any, source: Any = None, **named: Any) -> None:
        try:
            signature.bind_partial(name, *arguments, **named)  # words that it does not take first
            signature.bind(name, *arguments, **named)
        except TypeError as error:
            for old in named:
                if new := new_key(kind.word, old):
                    message = f"{kind.word} {name!r}: the argument {old!r} is now {new!r}"
                    raise TypeError(message) from None
            takes = ", ".join(word for word in signature.parameters if word != "source")
            raise TypeError(f"{kind.word} {name!r}: {error}; it takes {takes}") from None
        with declaring(kind.word, name, source) as place:
            model.add(kind(name, *arguments, source=place, **named))

    signature = inspect.signature(kind)
    model = inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD)
    declare.__signature__ = signature.replace(  # type: ignore[attr-defined]
        parameters=[model, *signature.parameters.values()], return_annotation=None
    )
    declare.__name__, declare.__qualname__ = kind.word, f"Model.{kind.word}"
    declare.__doc__ = _description(kind)
    return declare


def _description(kind: type[Element]) -> str:
    """The record's own docstring, in the words of a method, and its fields."""
    text = inspect.cleandoc(kind.__doc__ or "")
    lines = [f"Declare {text[:1].lower()}{text[1:]}", ""]
    for word, entry in fields_of(kind).items():
        units = f"[{entry.units}]" if entry.units else ""
        told = " ".join(part for part in (entry.meaning, units) if part)
        lines += [f"{word} : {told}"] if told else []
    return "\n".join(lines).rstrip()
