"""The options that say about which state a model is looked at, alike in all such commands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import typer

from eomc.cli.errors import CommandError, told_of
from eomc.cli.model_options import assignments
from eomc.cli.motion import motions

if TYPE_CHECKING:
    from eomc.derive.model import Model
    from eomc.runtime import CompiledModel
    from eomc.runtime.equilibrium import Equilibrium

Texts = list[str] | None
_VALUE = "NAME=VALUE,..."


@dataclass(frozen=True)
class StartOptions:
    """A state and what acts in it, as the command line gives them."""

    q: Annotated[Texts, typer.Option("--q", metavar=_VALUE, help="Coordinates; repeatable.")] = None
    u: Annotated[Texts, typer.Option("--u", metavar=_VALUE, help="Speeds; repeatable.")] = None
    z: Annotated[
        Texts, typer.Option("--z", metavar=_VALUE, help="States of elements; repeatable.")
    ] = None
    tau: Annotated[
        Texts, typer.Option("--tau", metavar=_VALUE, help="Constant generalized forces.")
    ] = None
    inputs: Annotated[Texts, typer.Option("--input", metavar=_VALUE, help="Constant inputs.")] = (
        None
    )
    parameters: Annotated[
        Texts, typer.Option("--parameter", metavar=_VALUE, help="Values of parameters.")
    ] = None
    prescribe: Annotated[
        Texts,
        typer.Option(
            metavar="NAME=EXPRESSION",
            help="Motion of a prescribed coordinate over the time t; at rest at 0 if not given.",
        ),
    ] = None

    def values(self, model: Model) -> dict[str, Any]:
        """Arguments of `linearize` and `equilibrium`, checked against the model."""
        given: dict[str, Any] = {
            "q": assignments(self.q, "--q", model.coordinates),
            "u": assignments(self.u, "--u", model.speeds),
            "z": assignments(self.z, "--z", list(model.element_states())),
            "tau": assignments(self.tau, "--tau", model.speeds),
            "inputs": assignments(self.inputs, "--input", list(model.inputs)),
            "parameters": assignments(self.parameters, "--parameter", list(model.parameters)),
        }
        moving = motions(self.prescribe, sorted(model.prescribed()))
        return {key: value or None for key, value in given.items()} | {"moving": moving}

    def build(self, model: Model, *more: str) -> tuple[CompiledModel, dict[str, Any]]:
        """The compiled model, parameters with new values (and `more`) tunable, and its values."""
        from eomc.building import build

        values = self.values(model)
        declared = [name for name, entry in model.parameters.items() if entry.tunable]
        changed = values["parameters"] or ()
        compiled = build(model, tunable=list(dict.fromkeys([*declared, *changed, *more])))
        moving = values.pop("moving")
        if compiled.prescribed:
            values["motion"] = dict.fromkeys(compiled.prescribed, 0.0) | moving
        return compiled, values


@dataclass(frozen=True)
class StateOptions(StartOptions):
    """A state, or the equilibrium near it."""

    solve_for: Annotated[
        Texts,
        typer.Option(
            metavar="NAME,...",
            help="What an equilibrium may change: coordinates, speed(NAME), tau(NAME), inputs, "
            "parameters. [default: all coordinates]",
        ),
    ] = None
    hold: Annotated[
        Texts,
        typer.Option(
            metavar="NAME,...",
            help="Coordinates kept in an equilibrium; the holding force is found.",
        ),
    ] = None
    turn: Annotated[
        str | None,
        typer.Option(metavar="X,Y,YAW", help="Speeds of a steady turn in inertial coordinates."),
    ] = None

    def build(self, model: Model, *more: str) -> tuple[CompiledModel, dict[str, Any]]:
        """The same; what is solved for is tunable too."""
        solved = [name for name in names(self.solve_for) if name in model.parameters]
        return super().build(model, *solved, *more)

    def equilibrium(self, model: CompiledModel, values: dict[str, Any]) -> Equilibrium:
        """The equilibrium near the state. Raises `CommandError` for wrong arguments."""
        from eomc.runtime.equilibrium import equilibrium

        with told_of():
            return equilibrium(model, **values, **self.equations(model))

    def equations(self, model: CompiledModel) -> dict[str, Any]:
        """What an equilibrium is solved for, and its accelerations."""
        from eomc.runtime.equilibrium import turn

        acceleration = None
        if self.turn is not None:
            speeds = [name.strip() for name in self.turn.split(",")]
            if len(speeds) != 3:
                raise CommandError(f"--turn {self.turn}: give three speeds X,Y,YAW")
            with told_of(f"--turn {self.turn}: "):
                acceleration = turn(model, *speeds)
        return {
            "solve_for": names(self.solve_for) or None,
            "hold": names(self.hold),
            "acceleration": acceleration,
        }

    @property
    def asks_for_equilibrium(self) -> bool:
        """Whether an option was given that only an equilibrium has."""
        return bool(self.solve_for or self.hold or self.turn)


def names(texts: Sequence[str] | None) -> list[str]:
    """Names of texts, several in one split by commas.

    >>> names(["a,b", "c"])
    ['a', 'b', 'c']
    """
    parts = [part.strip() for text in texts or () for part in text.split(",")]
    return [part for part in parts if part]
