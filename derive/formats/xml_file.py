"""XML of model files, read safely: no document types, so that no entity is ever expanded.

The formats' own readers are no strict parsers of XML: they read prefixes that no one declared,
comments with two hyphens, and blank lines before the declaration. So does this one.
"""

from __future__ import annotations

import math
import re
from typing import Any

from eomc.derive.language.errors import ModelError, Source

__all__ = ["decimal_numbers", "finite_numbers", "xml_root"]

_DECIMAL = re.compile(r"[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?")
_DECLARATION = re.compile(rb"\s+<\?xml\b[^>]*\?>")
#: Faults of XML that readers of model files do not see as such.
_TOLERATED = frozenset({"NS_ERR_UNDEFINED_NAMESPACE", "ERR_HYPHEN_IN_COMMENT"})


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
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        huge_tree=False,
        remove_comments=True,
        remove_pis=True,
        recover=True,
    )
    if (late := _DECLARATION.match(data)) is not None:
        data = re.sub(rb"[^\n]", b" ", late[0]) + data[late.end() :]
    told, line = "there is no element", 0
    try:
        root = etree.fromstring(data, parser)
    except (etree.XMLSyntaxError, ValueError) as error:
        root = None
        told, line = str(getattr(error, "msg", None) or error), getattr(error, "lineno", 0) or 0
    faults = [
        entry
        for entry in parser.error_log
        if entry.level_name != "WARNING" and entry.type_name not in _TOLERATED
    ]
    if root is None or faults:
        told, line = (faults[0].message, faults[0].line) if faults else (told, line)
        text = " ".join(told.split())[:200]
        raise ModelError(f"no valid XML: {text}", Source(file, line))
    if root.getroottree().docinfo.doctype or root.getroottree().docinfo.internalDTD is not None:
        raise ModelError("document type declarations and entities are not allowed", Source(file, 1))
    return root


def finite_numbers(text: str | None, count: int, what: str, source: Source) -> list[float]:
    """`count` finite numbers in `text`. Raises `ModelError` that names `what` and its place."""
    shown = (text or "").strip()
    numbers = decimal_numbers(shown)
    if numbers is None:
        raise ModelError(f"{what} is {shown[:80]!r}, no number", source)
    if len(numbers) != count:
        raise ModelError(f"{what} has {len(numbers)} numbers, needs {count}", source)
    if not all(map(math.isfinite, numbers)):
        raise ModelError(f"{what} is {shown[:80]!r}, not finite", source)
    return numbers


def decimal_numbers(text: str) -> list[float] | None:
    """Numbers in decimal digits, as readers in C++ take them; None for any other word.

    >>> decimal_numbers("1 -.5 2e3"), decimal_numbers("1_000"), decimal_numbers("nan")
    ([1.0, -0.5, 2000.0], None, None)
    """
    words = text.split()
    return [float(word) for word in words] if all(map(_DECIMAL.fullmatch, words)) else None
