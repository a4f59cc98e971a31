"""A long straight line that keeps many values for later, as recursions over bodies do."""

from small_programs.pendulum import symbols

from eomc.derive.graph import Argument, Function, Graph, Program


def recursion(length: int, width: int = 24) -> Program:
    """A long recursion forth and back; as in inverse dynamics, the way back needs the way forth."""
    g = Graph()
    x = symbols(g, "x", width)
    state, stages = list(x), []
    for k in range(length):
        factor = g.constant(0.5 + (k % 7) / 16)
        state = [
            g.label(g.add(g.mul(factor, state[i]), g.mul(x[i], state[i - 1])), f"stage{k}.{i}")
            for i in range(width)
        ]
        stages.append(state)
    back = state
    for state in reversed(stages):
        back = [g.sub(g.mul(b, x[i]), g.mul(state[i], state[i - 1])) for i, b in enumerate(back)]
    outputs = (Argument("y", (width,), tuple(back)),)
    return Program("long", g, (Function("f", (Argument("x", (width,), x),), outputs),))
