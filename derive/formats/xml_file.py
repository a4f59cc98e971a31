"""XML of model files, read safely: no document types, so that no entity is ever expanded."""

from __future__ import annotations

import math
from typing import Any

from eomc.derive.language.errors import ModelError, Source

__all__ = ["finite_numbers", "xml_root"]


def xml_root(data: bytes, file: str, extra: str) -> Any:
    """Root element of the document, without comments and processing instructions.

    `extra` is the optional dependency that brings the parser. Raises `ModelError` with the line for
    a document that is malformed, nested too deep, or declares a document type.
    """
    try:
        from lxml import etree
    except ImportError as error:
        raise ModelError(
            f"reading this file needs the package {error.name}; "
            f"install it with pip install 'eomc[{extra}]'",
            Source(file),
        ) from None
    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False,
        remove_comments=True, remove_pis=True,
    )  # fmt: skip
    try:
        root = etree.fromstring(data, parser)
    except (etree.XMLSyntaxError, ValueError) as error:
        line = getattr(error, "lineno", 0) or 0
        text = " ".join(str(getattr(error, "msg", None) or error).split())[:200]
        raise ModelError(f"no valid XML: {text}", Source(file, line)) from None
    if root.getroottree().docinfo.doctype or root.getroottree().docinfo.internalDTD is not None:
        raise ModelError("document type declarations and entities are not allowed", Source(file, 1))
    return root


def finite_numbers(text: str | None, count: int, what: str, source: Source) -> list[float]:
    """`count` finite numbers in `text`. Raises `ModelError` that names `what` and its place."""
    shown = (text or "").strip()
    try:
        numbers = [float(word) for word in shown.split()]
    except ValueError:
        raise ModelError(f"{what} is {shown[:80]!r}, no number", source) from None
    if len(numbers) != count:
        raise ModelError(f"{what} has {len(numbers)} numbers, needs {count}", source)
    if not all(map(math.isfinite, numbers)):
        raise ModelError(f"{what} is {shown[:80]!r}, not finite", source)
    return numbers
