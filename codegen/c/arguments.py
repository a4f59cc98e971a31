"""Arguments of calls and of declarations; tunable parameters come last, where a model has any."""

from collections.abc import Iterable, Mapping

from eomc.codegen.c.language import parameters_argument
from eomc.codegen.language.language import INDENT
from eomc.codegen.plan.interface import EmittedFunction, Interface


def with_parameters(face: Interface, names: Iterable[str], p: str = "p") -> list[str]:
    """All arguments of a call."""
    return [*names, *([p] if face.members else [])]


def call_arguments(
    face: Interface, entry: EmittedFunction, names: Mapping[str, str], p: str = "p"
) -> str:
    """The inputs of a function by what they are called where it is called."""
    inputs = (names[port.argument.name] for port in entry.inputs)
    return ", ".join(with_parameters(face, inputs, p))


def passed_on(face: Interface, names: Iterable[str], p: str = "p") -> str:
    """Arguments that others follow."""
    return "".join(f"{name}, " for name in with_parameters(face, names, p))


def declared(face: Interface, declarations: Iterable[str]) -> str:
    """Declarations that others follow, a line each."""
    lines = with_parameters(face, declarations, parameters_argument(face))
    return "".join(f"{INDENT}{line},\n" for line in lines)
