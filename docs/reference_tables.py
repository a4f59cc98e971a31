"""Tables of the words of a model and excerpts of emitted code, made from the code itself."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Sequence
from pathlib import Path

import eomc
from eomc.codegen import emit
from eomc.derive.formats import load
from eomc.derive.functions import KINDS, QUESTIONS
from eomc.derive.language.grammar import FUNCTIONS
from eomc.derive.model import Model, joint_kind, joint_kinds

EXAMPLES = Path(__file__).parent.parent / "examples"


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A Markdown table."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines) + "\n"


def code(*words: str) -> str:
    """The words as code, separated by spaces."""
    return " ".join(f"`{word}`" for word in words)


def first_sentence(text: str | None) -> str:
    """First paragraph of a docstring, in one line of a table."""
    return inspect.cleandoc(text or "").split("\n\n")[0].replace("\n", " ").replace("|", "\\|")


def declarations() -> str:
    """The methods of `Model`, which are the tables of model files."""
    rows = []
    for word in Model().tables():
        method = getattr(Model, word)
        arguments = [
            parameter.name
            if parameter.default is inspect.Parameter.empty
            else f"{parameter.name}={parameter.default!r}"
            for parameter in inspect.signature(method).parameters.values()
            if parameter.name not in ("self", "source")
        ]
        rows.append([code(word), code(*arguments), first_sentence(method.__doc__)])
    return table(["word", "arguments", "meaning"], rows)


def joints() -> str:
    """Every joint kind."""
    rows = []
    for name in joint_kinds():
        kind = joint_kind(name)
        coordinates = kind.coordinate_names("j")
        rows.append(
            [
                code(name),
                kind.sentence,
                code(*sorted(kind.takes)),
                code(*coordinates),
                "the same" if kind.rates else code(*kind.speed_names("j")),
            ]
        )
    return table(["kind", "meaning", "takes", "coordinates of a joint `j`", "speeds"], rows)


def functions() -> str:
    """Every function of a model."""
    rows = [
        [code(name), code(*kind.inputs), kind.description.replace("|", "\\|")]
        for name, kind in KINDS.items()
        if not {"SymPy", "auxiliary speeds"} & set(kind.needs)
    ]
    rows += [
        [code(f"frame_<name>_{question}"), code(*inputs), sentence.format("the frame")]
        for question, (inputs, sentence) in QUESTIONS.items()
    ]
    return table(["function", "of", "meaning"], rows)


def expression_functions() -> str:
    """Functions that may stand in expressions."""
    return code(*FUNCTIONS) + "\n"


def c_function(text: str, symbol: str) -> str:
    """The definition of a function in emitted C."""
    begin = text.index(f"int {symbol}(")
    return text[begin : text.index("\n}\n", begin) + 3]


def emitted_excerpt() -> str:
    """Inverse dynamics of the arm as it is emitted."""
    model = load(EXAMPLES / "models" / "arm.toml")
    sources = emit(eomc.equations(model).program())
    return c_function(sources["arm.c"], "arm_inverse_dynamics")


def model_files() -> str:
    """The model files of the examples."""
    rows = []
    for path in sorted((EXAMPLES / "models").glob("*.toml")):
        model = load(path)
        coordinates = [*model.coordinates[:8], *(["..."] if len(model.coordinates) > 8 else [])]
        rows.append([code(path.name), _about(path, model), code(*coordinates)])
    return table(["file", "what it is", "coordinates"], rows)


def _about(path: Path, model: Model) -> str:
    """The model's description, or the comment at the head of its file."""
    first = path.read_text(encoding="utf-8").splitlines()[0]
    return model.description or first.lstrip("# ").rstrip(".")


TABLES = {
    "arm_excerpt.c": emitted_excerpt,
    "functions.md": functions,
    "model_files.md": model_files,
}


def write_tables(folder: Path) -> None:
    """Write all tables into `folder`; files that are current are left alone."""
    folder.mkdir(exist_ok=True)
    for name, make in TABLES.items():
        text, path = make(), folder / name
        if not path.is_file() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")
