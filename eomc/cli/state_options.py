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
    from eomc.derive.equations.named import NamedEquations
    from eomc.runtime import CompiledModel
    from eomc.runtime.equilibria import Equilibrium

Texts = list[str] | None
_VALUE = "NAME=VALUE,..."


@dataclass(frozen=True)
class StartOptions:
    """A state and what acts in it, as the command line gives them."""

    q: Annotated[Texts, typer.Option("--q", metavar=_VALUE, help="Coordinates; repeatable.")] = None
    u: Annotated[Texts, typer.Option("--u", metavar=_VALUE, help="Speeds; repeatable.")] = None
    z: Annotated[
        Texts, typer.Option("--z", metavar=_VALUE, help="Internal states of elements; repeatable.")
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
    prescribed: Annotated[
        Texts,
        typer.Option(
            metavar="NAME=EXPRESSION",
            help="Motion of a prescribed coordinate over the time t. [default: 0]",
        ),
    ] = None

    assemble: Annotated[
        bool,
        typer.Option(
            "--assemble",
            help="Start from a nearby state that satisfies the constraints. Named values are kept "
            "if possible.",
        ),
    ] = False
    fixed: Annotated[
        Texts,
        typer.Option(
            metavar="NAME,...",
            help="Coordinates and speed(NAME) that --assemble must keep; repeatable.",
        ),
    ] = None

    def values(self, equations: NamedEquations[Any]) -> dict[str, Any]:
        """Arguments of `linearize` and `equilibrium`, checked against the model."""
        of = equations.formulation(equations.tunable(None))
        given: dict[str, Any] = {
            "q": assignments(self.q, "--q", of.coordinate_names),
            "u": assignments(self.u, "--u", of.speed_names),
            "z": assignments(self.z, "--z", of.element_state_names),
            "tau": assignments(self.tau, "--tau", of.speed_names),
            "inputs": assignments(self.inputs, "--input", of.input_names),
            "parameters": assignments(self.parameters, "--parameter", list(equations.declared)),
        }
        moving = motions(self.prescribed, sorted(of.prescribed_names))
        return {key: value or None for key, value in given.items()} | {"moving": moving}

    def build(
        self, equations: NamedEquations[Any], *more: str
    ) -> tuple[CompiledModel, dict[str, Any]]:
        """The compiled model, parameters with new values (and `more`) tunable, and its values."""
        from eomc.building import build
        from eomc.runtime.model.state import reference_motion

        values = self.values(equations)
        changed = values["parameters"] or ()
        tunable = dict.fromkeys([*equations.tunable(None), *changed, *more])
        compiled = build(equations, tunable=list(tunable))
        moving = values.pop("moving")
        if compiled.prescribed:
            still = reference_motion(compiled).tolist()
            values["prescribed"] = dict(zip(compiled.prescribed, still, strict=True)) | moving
        return compiled, values | self.closed(compiled, values)

    def closed(self, model: CompiledModel, values: dict[str, Any]) -> dict[str, Any]:
        """q and u as `--assemble` makes them, by name; tells on stderr what moved."""
        from eomc.runtime.constraints.start import GivenByName, start_of_model
        from eomc.runtime.model.state import initial_state

        if not self.assemble:
            if self.fixed and self.holds_starts:
                raise CommandError("--fixed: give it with --assemble")
            return {}
        if not model.is_constrained:
            raise CommandError(
                "--assemble: the model has no loops and no constraints; leave it out"
            )
        q, u = values["q"], values["u"]
        acting: dict[str, Any] = {
            name: values.get(name) for name in ("inputs", "prescribed", "parameters")
        }
        named = GivenByName.of(model, q, u)
        with told_of():
            guess = initial_state(model, q, u, values["z"])
            found = start_of_model(
                model, guess, assemble=True, fixed=names(self.fixed), named=named, **acting
            )
        if found.summary:
            typer.echo(f"assembled: {found.summary}", err=True)
        pairs = ((model.coordinates, found.state.q), (model.speeds, found.state.u))
        q, u = (dict(zip(own, x.tolist(), strict=True)) for own, x in pairs)
        return {"q": q, "u": u}

    @property
    def holds_starts(self) -> bool:
        """True if `--fixed` is of the start alone."""
        return True


@dataclass(frozen=True)
class StateOptions(StartOptions):
    """A state, or the equilibrium near it."""

    solve_for: Annotated[
        Texts,
        typer.Option(
            metavar="NAME,...",
            help="Unknowns of an equilibrium: coordinates, speed(NAME), tau(NAME), inputs, "
            "parameters. [default: all coordinates]",
        ),
    ] = None
    fixed: Annotated[
        Texts,
        typer.Option(
            metavar="NAME,...",
            help="Coordinates fixed in an equilibrium, whose force is computed, and by --assemble.",
        ),
    ] = None
    targets: Annotated[
        Texts,
        typer.Option(
            metavar=_VALUE,
            help="Target values of an equilibrium, such as rope.tension or tip.z; repeatable.",
        ),
    ] = None
    adjust: Annotated[
        Texts, typer.Option(metavar="NAME,...", help="Parameters and inputs that may change too.")
    ] = None
    steady_turn: Annotated[
        str | None,
        typer.Option(metavar="X,Y,YAW", help="Speeds of a steady turn in inertial coordinates."),
    ] = None

    def build(
        self, equations: NamedEquations[Any], *more: str
    ) -> tuple[CompiledModel, dict[str, Any]]:
        """The same; what is solved for is tunable too."""
        unknown = [*names(self.solve_for), *names(self.adjust)]
        solved = [name for name in unknown if name in equations.declared]
        return super().build(equations, *solved, *more)

    def equilibrium(self, model: CompiledModel, values: dict[str, Any]) -> Equilibrium:
        """The equilibrium near the state. Raises `CommandError` for wrong arguments."""
        from eomc.runtime.equilibria import equilibrium
        from eomc.runtime.equilibria.wanted import wanted_names

        wanted = (
            assignments(self.targets, "--targets", wanted_names(model)) if self.targets else None
        )
        with told_of():
            return equilibrium(
                model, **values, **self.equations(model), targets=wanted, adjust=names(self.adjust)
            )

    def equations(self, model: CompiledModel) -> dict[str, Any]:
        """Arguments of `equilibrium`: unknowns, values that it holds, accelerations."""
        from eomc.runtime.equilibria import steady_turn

        acceleration = None
        if self.steady_turn is not None:
            speeds = [name.strip() for name in self.steady_turn.split(",")]
            if len(speeds) != 3:
                raise CommandError(f"--steady-turn {self.steady_turn}: give three speeds X,Y,YAW")
            with told_of(f"--steady-turn {self.steady_turn}: "):
                acceleration = steady_turn(model, *speeds)
        return {
            "solve_for": names(self.solve_for) or None,
            "fixed": names(self.fixed),
            "acceleration": acceleration,
        }

    @property
    def holds_starts(self) -> bool:
        """False: `--fixed` is of equilibria too."""
        return False

    @property
    def asks_for_equilibrium(self) -> bool:
        """True if an option was given that only an equilibrium has."""
        return bool(self.solve_for or self.fixed or self.steady_turn or self.targets or self.adjust)


def names(texts: Sequence[str] | None) -> list[str]:
    """Names of texts, several in one split by commas.

    >>> names(["a,b", "c"])
    ['a', 'b', 'c']
    """
    parts = [part.strip() for text in texts or () for part in text.split(",")]
    return [part for part in parts if part]
