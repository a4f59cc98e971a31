"""Order of statements: operands first, and what waits side by side where columns hide it."""

import itertools

import numpy as np
from small_programs.c_library import Library

from eomc.codegen import emit
from eomc.codegen.c import function
from eomc.codegen.plan.cost import depths
from eomc.codegen.plan.schedule import schedule
from eomc.derive.equations import derive
from eomc.derive.graph import Program, reachable
from eomc.systems.chain import general_chain


def mass_matrix(joints: int) -> Program:
    return derive(general_chain(joints)).program(functions=("mass_matrix",), name="ours")


def test_values_of_one_depth_stand_together():
    """Slab by slab, operands first; without slabs the order follows the recursion."""
    program = mass_matrix(8)
    graph, roots = program.graph, program.functions[0].nodes
    depth = depths(graph, reachable(graph, roots))
    stood = {slab: schedule(graph, roots, slab=slab) for slab in (0, 4)}
    for plan in stood.values():
        place = {node: k for k, node in enumerate(plan.order)}
        assert all(place[read] < k for k, reads in enumerate(plan.reads) for read in reads)
    assert sorted(stood[0].order) == sorted(stood[4].order)

    def falls(order: list[int]) -> int:
        """Statements that need four additions less than the one before."""
        slabs = [depth[node] // 4 for node in order]
        return sum(b < a for a, b in itertools.pairwise(slabs))

    assert falls(stood[4].order) < falls(stood[0].order) / 2


def test_mass_matrices_for_speed_stand_so(c_library, monkeypatch):
    """Long straight lines do not, whose price is bytes, nor does what is to be small; the results
    are the same."""
    program = mass_matrix(7)
    sound, others = emit(program), emit(program, optimize="size")
    monkeypatch.setattr(function, "_SLAB", 0)
    recursive = emit(program)
    assert sound["ours.c"] != recursive["ours.c"]
    assert others["ours.c"] == emit(program, optimize="size")["ours.c"]
    long = derive(general_chain(7)).program(functions=("inverse_dynamics_derivatives",))
    text = emit(long)["chain7.c"]
    monkeypatch.undo()
    assert emit(long)["chain7.c"] == text
    q = np.linspace(-2, 2, 7)

    def result(library: Library) -> np.ndarray:
        return library.call("mass_matrix", [q], [49])[1][0]

    straight = result(c_library(program))
    monkeypatch.setattr(function, "_SLAB", 0)
    np.testing.assert_array_equal(straight, result(c_library(program)))
