"""XML of model files, written: elements with attributes in numbers that read back the same."""

from __future__ import annotations

from typing import Any
from xml.etree.ElementTree import Element, SubElement, indent, tostring

import numpy as np

from eomc.binding.arrays import Array
from eomc.derive.formats.numeric_pose import rpy_of

__all__ = ["Element", "child", "number_text", "numbers_text", "pose_text", "xml_text"]


def child(parent: Element, tag: str, text: Any = None, **attributes: Any) -> Element:
    """A new element in `parent`; numbers become text, attributes of None are left out. A trailing
    underscore of an attribute falls off, as in ``class_``."""
    given = {
        word.rstrip("_"): numbers_text(value)
        for word, value in attributes.items()
        if value is not None
    }
    element = SubElement(parent, tag, given)
    if text is not None:
        element.text = numbers_text(text)
    return element


def number_text(value: float) -> str:
    """The shortest text that reads back as the same double, whole numbers without a point."""
    number = float(value)
    return str(int(number)) if number == int(number) and abs(number) < 1e15 else repr(number)


def numbers_text(value: Any) -> str:
    """Text as it is; a number, or several of them with blanks between."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    return " ".join(number_text(entry) for entry in np.atleast_1d(np.asarray(value, dtype=float)))


def pose_text(place: Array) -> str:
    """A frame (4, 4) as x y z roll pitch yaw."""
    return numbers_text([*place[:3, 3], *rpy_of(place[:3, :3])])


def xml_text(root: Element) -> str:
    """The document."""
    indent(root)
    return '<?xml version="1.0"?>\n' + tostring(root, encoding="unicode") + "\n"
