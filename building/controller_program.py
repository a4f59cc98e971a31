"""From a controller, observer or shaper to a program: its step as a function on a graph."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from eomc.building.equations import derived
from eomc.building.graph_operations import GraphOperations, array
from eomc.building.recorded_steps import recorded_steps
from eomc.codegen.plan.real import RealName
from eomc.derive.graph import (
    Argument,
    Function,
    Graph,
    Program,
    TunableParameter,
    reachable,
    symbols,
)
from eomc.runtime.control import Sampled
from eomc.runtime.control.emitted_law import WrittenLaw
from eomc.runtime.difference import DifferenceEquation, NotEmittableError

STEP = "difference_step"
"""Name of the function, and of what the manifest says of it."""

_ROUNDING = {"double": 2.0**-53, "float": 2.0**-24}

_DESCRIPTIONS = {
    "q": "coordinates, as measured",
    "u": "speeds, as measured",
    "q_d": "coordinates to be reached",
    "u_d": "speeds to be reached",
    "a_d": "accelerations to be reached",
    "y_d": "outputs to be reached",
    "y_d_rate": "rates of the outputs to be reached",
    "y_d_acceleration": "accelerations of the outputs to be reached",
    "force": "force of the contact, as measured",
    "tau": "generalized forces",
}


def controller_program(
    controller: Any,
    model: Any = None,
    name: str = "controller",
    real: RealName = "double",
    *,
    recorded: bool = False,
) -> Program:
    """The step of a controller as a program.

    controller : Sampled, DifferenceEquation, or an object with ``equation()``
    model : of the controller, as `eomc.build` takes it; needed where the law calls its functions
    name : of the program
    real : scalar type that it is meant for; what counts as singular depends on it
    recorded : with steps of the controller in Python, for the test that its C carries

    Raises NotEmittableError where the law or a signal has no difference equation, or needs what
    samples do not tell; ModelError.
    """
    equation = _equation(controller)
    law = getattr(controller, "law", None)
    if isinstance(law, WrittenLaw):
        if recorded:
            raise NotEmittableError(
                f"{type(law).__name__} has no test of its step in C; leave out self_test"
            )
        written: Program = law.program(name)
        return written
    functions: Mapping[str, Function] = {}
    parameters: tuple[TunableParameter, ...] = ()
    graph = Graph()
    if equation.functions:
        if model is None:
            raise NotEmittableError(
                f"the controller calls {', '.join(equation.functions)} of its model; give the model"
            )
        program = derived(model, "emit a controller of").program(functions=list(equation.functions))
        graph, functions = program.graph, {f.name: f for f in program.functions}
        parameters = _with_values(program.parameters, equation.parameters)
    by = GraphOperations(graph, functions, _ROUNDING[real])
    made = _function(equation, by)
    used = {graph.value[n] for n in _symbols(graph, made)}
    kept = tuple(p for p in parameters if p.symbol in used)
    rows = {**equation.inputs, equation.output: equation.rows}
    record = {"recorded": recorded_steps(controller, equation)} if recorded else {}
    return Program(
        name,
        graph,
        (made,),
        kept,
        index_names={key: entries for key, entries in rows.items() if entries},
        metadata={
            "functions": [STEP],
            STEP: {"start": equation.start.tolist(), "draws": equation.draws, **record},
        },
    )


def _equation(controller: Any) -> DifferenceEquation:
    if isinstance(controller, DifferenceEquation):
        return controller
    made = getattr(controller, "equation", None)
    if made is None or not (isinstance(controller, Sampled) or callable(made)):
        raise NotEmittableError(
            f"{type(controller).__name__} is no sampled controller; give Sampled(law, period) or a "
            "DifferenceEquation"
        )
    try:
        found = made()
    except TypeError:
        raise NotEmittableError(
            f"{type(controller).__name__} is not sampled; give Sampled(law, period)"
        ) from None
    if not isinstance(found, DifferenceEquation):
        raise NotEmittableError(f"{type(controller).__name__}: equation() gives no equation")
    return found


def _with_values(
    parameters: tuple[TunableParameter, ...], values: Mapping[str, float]
) -> tuple[TunableParameter, ...]:
    return tuple(replace(p, default=values.get(p.name, p.default)) for p in parameters)


def _function(equation: DifferenceEquation, by: GraphOperations) -> Function:
    graph = by.graph
    sizes = {"state": len(equation.start), "chance": equation.draws}
    sizes |= {name: len(names) for name, names in equation.inputs.items()}
    given = {name: array(symbols(graph, name, size)) for name, size in sizes.items()}
    after, output = equation.step(by, *given.values())
    rows: dict[str, tuple[str, ...]] = {"state": (), "chance": (), **equation.inputs}
    told = {"state": "state of the controller", "chance": "normal numbers of variance 1"}
    inputs = [
        Argument(
            name,
            (size,),
            tuple(by.nodes(given[name])),
            {**_DESCRIPTIONS, **told}.get(name, "input"),
            "",
            rows[name],
        )
        for name, size in sizes.items()
        if size
    ]
    made = Argument(
        equation.output,
        (len(equation.rows),),
        tuple(by.nodes(output)),
        _DESCRIPTIONS.get(equation.output, "output"),
        "",
        equation.rows,
    )
    outputs = [made]
    if sizes["state"]:
        next_state = tuple(by.nodes(after))
        outputs.insert(0, Argument("state_next", (len(next_state),), next_state, "state after it"))
    guards = tuple(dict.fromkeys(by.guards))
    return Function(STEP, tuple(inputs), tuple(outputs), "One sample.", guards)


def _symbols(graph: Graph, function: Function) -> list[int]:
    return [n for n in reachable(graph, function.nodes) if graph.op[n] == "symbol"]
