"""Makes the stub and the schema by which type checkers and editors know the kinds of elements.

python tests/house/declared_stub.py
"""

import json
from pathlib import Path

from eomc.derive.elements.element import Element
from eomc.derive.formats.schema import model_schema
from eomc.derive.model import Model

STUB = Path(__file__).parents[2] / "derive" / "elements" / "declared.pyi"
SCHEMA = Path(__file__).parents[2] / "eomc" / "cli" / "model.schema.json"


def stub() -> str:
    """One method and one table for each kind of the package."""
    kinds = [kind for kind in Model.kinds() if kind.__module__.startswith("eomc.derive.")]
    names: dict[str, list[str]] = {}
    for kind in kinds:
        names.setdefault(kind.__module__, []).append(kind.__name__)
    places = {place: ", ".join(sorted(found)) for place, found in names.items()} | {
        "eomc.derive.elements.declares": "Declares, Table",
        "eomc.derive.elements.element": "Element",
    }
    lines = [
        "# Made from the records by tests/house/declared_stub.py; docstrings stand there.",
        *sorted(f"from {place} import {names}" for place, names in places.items()),
        "",
        "class Declared:",
        "    @classmethod",
        "    def learn(cls, kind: type[Element]) -> None: ...",
        *(line for kind in kinds for line in _lines(kind)),
    ]
    return "\n".join(lines) + "\n"


def _lines(kind: type[Element]) -> list[str]:
    """None of a method that the model has by itself."""
    method = [] if kind.word in vars(Model) else [f"    {kind.word} = Declares({kind.__name__})"]
    return [*method, f"    {kind.plural.replace(' ', '_')} = Table({kind.__name__})"]


def schema() -> str:
    """The schema of model files."""
    return json.dumps(model_schema(), indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    STUB.write_text(stub(), encoding="utf-8")
    SCHEMA.write_text(schema(), encoding="utf-8")
