"""The option ``--prescribed NAME=EXPRESSION``: motions of prescribed coordinates as text."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from eomc.cli.errors import CommandError

Motion = Callable[[float], tuple[float, float, float]]


def motions(texts: Sequence[str] | None, names: Sequence[str]) -> dict[str, float | Motion]:
    """{name: motion} of ``NAME=EXPRESSION`` texts, expressions of the time t [s].

    A motion is a number where t does not occur, else t -> (s, s', s''), differentiated exactly.

    >>> crank = motions(["crank=0.5*t**2"], ["crank"])["crank"]
    >>> crank(2.0)
    (2.0, 2.0, 1.0)
    >>> motions(["crank=pi/2"], ["crank"])
    {'crank': 1.5707963267948966}

    Raises `CommandError` for an unknown name, and `ModelError` for text that is no expression.
    """
    from eomc.runtime.names.near_names import near_names

    given: dict[str, float | Motion] = {}
    for text in texts or ():
        name, equals, expression = text.partition("=")
        name = name.strip()
        if not equals:
            raise CommandError(
                f"--prescribed {text}: give NAME=EXPRESSION, as in {text}=0.1*sin(t)"
            )
        if name not in names:
            hint = near_names(name, names) if names else "the model prescribes no coordinate"
            raise CommandError(f"--prescribed {text}: no {name!r} here; {hint}")
        given[name] = _motion(expression)
    return given


def _motion(text: str) -> float | Motion:
    import sympy

    from eomc.derive.graph import Graph, evaluate, forward_derivative, from_sympy
    from eomc.derive.language.grammar import parse_expression

    graph = Graph()
    t = graph.symbol("t")
    s = from_sympy(graph, parse_expression(text, ["t"]), {sympy.Symbol("t"): t})
    direction = {t: graph.constant(1)}
    (rate,) = forward_derivative(graph, [s], direction)
    (acceleration,) = forward_derivative(graph, [rate], direction)

    def motion(time: float) -> tuple[float, float, float]:
        s_now, rate_now, acceleration_now = evaluate(graph, [s, rate, acceleration], {"t": time})
        return float(s_now), float(rate_now), float(acceleration_now)

    number = graph.number(s)
    return motion if number is None else float(number)
