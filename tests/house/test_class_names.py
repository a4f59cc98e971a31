"""A class name stands once in the product."""

import ast
from collections import defaultdict

from house.statements import statements

from benchmarks.house import ROOMS, ROOT

FIELD_TYPES = {"Body", "Choice", "Placement", "Point", "Vector"}
"""Private types of `derive/elements/fields.py`, named as the classes that they check."""


def test_class_names_stand_once() -> None:
    places: dict[str, list[str]] = defaultdict(list)
    for room in (*ROOMS, "published"):
        for path in sorted((ROOT / room).rglob("*.py")):
            for node in statements(path):
                if isinstance(node, ast.ClassDef):
                    place = f"{path.relative_to(ROOT)}:{node.lineno}"
                    places[node.name.lstrip("_")].append(place)
    repeated = {
        name: found for name, found in places.items() if len(found) > 1 and name not in FIELD_TYPES
    }
    assert not repeated
