"""Overhead of a call from Python over the C function, for one state and with all checks.

The same function is timed three ways, in interleaved rounds on thread CPU time: from Python, from
Python with out=, and in a C loop that Python enters once (a batch of states, per state). The
difference is the overhead. Run it as ``python benchmarks/call_overhead.py``.
"""

import statistics
import sys
import time
from collections.abc import Callable
from types import ModuleType

import numpy as np

from eomc.codegen import build, emit
from eomc.derive.graph import Argument, Function, Graph, Program
from eomc.runtime.model.load import load_module

ROUNDS = 41
CALLS = 4000
BATCH = 4000


def products(size: int, depth: int) -> Program:
    """A function of three vectors whose C takes next to no time, so that overhead stands alone."""
    graph = Graph()
    q, u, tau = (
        tuple(graph.symbol(f"{name}[{i}]") for i in range(size)) for name in ("q", "u", "tau")
    )
    entries = list(tau)
    for _ in range(depth):
        entries = [graph.add(graph.mul(a, b), c) for a, b, c in zip(q, u, entries, strict=True)]
    inputs = tuple(
        Argument(name, (size,), nodes) for name, nodes in (("q", q), ("u", u), ("tau", tau))
    )
    function = Function("f", inputs, (Argument("a", (size,), tuple(entries)),))
    return Program(f"products_{size}_{depth}", graph, (function,))


def empty_loop() -> None:
    """The cost of the timing loop itself."""
    for _ in range(CALLS):
        pass


def measure(module: ModuleType, size: int) -> dict[str, list[float]]:
    """Nanoseconds a call in each round."""
    rng = np.random.default_rng(0)
    q, u, tau = rng.normal(size=(3, size))
    out = np.empty(size)
    batch = np.tile(q, (BATCH, 1))
    result = np.empty((BATCH, size))
    f = module.f

    def plain() -> None:
        for _ in range(CALLS):
            f(q, u, tau)

    def with_out() -> None:
        for _ in range(CALLS):
            f(q, u, tau, out=out)

    def in_c() -> None:
        f(batch, u, tau, out=result)

    ways: dict[str, tuple[Callable[[], None], int]] = {
        "loop": (empty_loop, CALLS),
        "python": (plain, CALLS),
        "python, out=": (with_out, CALLS),
        "C": (in_c, BATCH),
    }
    times: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(ROUNDS):
        for name, (run, calls) in ways.items():
            start = time.thread_time_ns()
            run()
            times[name].append((time.thread_time_ns() - start) / calls)
    return times


def main() -> int:
    """Print medians and spreads; exit status 1 if the overhead exceeds 300 ns."""
    worst = 0.0
    for size, depth in ((2, 1), (7, 1), (7, 200), (30, 1)):
        module = load_module(build(emit(products(size, depth))))
        times = measure(module, size)
        middle = {name: statistics.median(values) for name, values in times.items()}
        print(f"three arrays of {size} in, one out; {2 * size * depth} operations")
        for name in ("python", "python, out=", "C"):
            quarters = statistics.quantiles(times[name], n=4)
            spread = f"quartiles {quarters[0]:.1f} .. {quarters[2]:.1f}"
            print(f"  {name:14} {middle[name]:7.1f} ns  ({spread})")
        for name in ("python", "python, out="):
            overhead = middle[name] - middle["C"] - middle["loop"]
            worst = max(worst, overhead)
            print(f"  overhead of {name:14} {overhead:7.1f} ns")
    print(f"largest overhead {worst:.1f} ns (wanted: at most 300)")
    return int(worst > 300)


if __name__ == "__main__":
    sys.exit(main())
