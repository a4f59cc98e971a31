"""Errors of values that are not finite, told of the element of the model that they come from."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from eomc.derive.graph import GraphError
from eomc.derive.language.errors import ModelError, Source

__all__ = ["finite"]


@contextmanager
def finite(what: str, source: Source | None) -> Iterator[None]:
    """Raise a `GraphError` as the `ModelError` of `what`, declared at `source`.

    >>> with finite("spring 's'", Source("arm.toml", 31)):
    ...     raise GraphError("division by the constant zero")
    Traceback (most recent call last):
    eomc.derive.language.errors.ModelError: arm.toml:31: spring 's': division by the constant zero
    """
    try:
        yield
    except GraphError as error:
        raise ModelError(f"{what}: {error}", source) from None
