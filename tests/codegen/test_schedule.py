"""Order of statements: operands first, and what waits side by side where columns hide it."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_programs.c_library import Library

import eomc
from eomc.codegen import emit
from eomc.codegen.c import function
from eomc.codegen.plan import schedule as scheduling
from eomc.codegen.plan.cost import depths
from eomc.codegen.plan.partition import partition
from eomc.codegen.plan.schedule import schedule
from eomc.codegen.plan.sinking import sunk
from eomc.derive.graph import Program, reachable
from eomc.systems.chain import general_chain


def mass_matrix(joints: int) -> Program:
    return eomc.equations(general_chain(joints)).program(functions=("mass_matrix",), name="ours")


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
    monkeypatch.setattr(function, "SLAB_DEPTH", 0)
    recursive = emit(program)
    assert sound["ours.c"] != recursive["ours.c"]
    assert others["ours.c"] == emit(program, optimize="size")["ours.c"]
    long = eomc.equations(general_chain(7)).program(functions=("inverse_dynamics_derivatives",))
    text = emit(long)["chain7.c"]
    monkeypatch.undo()
    assert emit(long)["chain7.c"] == text
    q = np.linspace(-2, 2, 7)

    def result(library: Library) -> np.ndarray:
        return library.call("mass_matrix", [q], [49])[1][0]

    straight = result(c_library(program))
    monkeypatch.setattr(function, "SLAB_DEPTH", 0)
    np.testing.assert_array_equal(straight, result(c_library(program)))


@st.composite
def statements(draw: st.DrawFn) -> tuple[list[tuple[int, ...]], set[int]]:
    """What each of some hundred statements reads of those before it, and those that stay."""
    count = draw(st.integers(110, 250))
    reads = [
        tuple(draw(st.sets(st.integers(0, k - 1), max_size=3))) if k else () for k in range(count)
    ]
    return reads, draw(st.sets(st.integers(0, count - 1), max_size=10))


def kept(reads: dict[int, tuple[int, ...]], order: list[int]) -> dict[int, int]:
    """How many values wait after each statement for one that is still to come."""
    last = {read: k for k, node in enumerate(order) for read in reads[node]}
    alive = dict.fromkeys(order, 0)
    for k, node in enumerate(order):
        for passed in order[k : last.get(node, k)]:
            alive[passed] += 1
    return alive


@pytest.mark.slow
@given(statements())
def test_statements_sink_to_their_first_user(drawn):
    """Nothing is read before it is there, what stays is in the order it had, and what a statement
    sinks past is not kept waiting by more values than before."""
    read, fixed = drawn
    reads, nodes = dict(enumerate(read)), list(range(len(read)))
    order = sunk(nodes, read, fixed)
    place = {node: k for k, node in enumerate(order)}
    assert sorted(order) == nodes
    assert all(place[a] < place[b] for b in nodes for a in reads[b])
    assert sorted(fixed, key=place.__getitem__) == sorted(fixed)
    passed = [
        node for node in nodes if all(place[node] < place[later] for later in nodes[node + 1 :])
    ]
    before, after = kept(reads, nodes), kept(reads, order)
    assert all(after[node] <= before[node] for node in passed)


def test_what_one_statement_far_behind_needs_stands_there():
    """A value of two others that wait in any case sinks, one of others that do not wait stays."""
    far = 150
    reads: list[tuple[int, ...]] = [(), (), (), (), (0, 1), (2, 3), *[()] * far, (0, 1, 4), (5,)]
    order = sunk(range(len(reads)), reads, fixed=())
    assert order[-3:] == [4, len(reads) - 2, len(reads) - 1]
    assert order.index(5) < far
    assert sunk(range(len(reads)), reads, fixed=(4,)) == list(range(len(reads)))


def test_long_functions_need_less_room_for_it(monkeypatch):
    """Values that nothing waits for yet are computed late; short functions stay as they were."""
    program = eomc.equations(general_chain(20)).program(functions=("forward_dynamics_derivatives",))
    short = mass_matrix(8)
    late = partition(schedule(program.graph, program.functions[0].nodes))
    as_it_was = schedule(short.graph, short.functions[0].nodes)
    monkeypatch.setattr(scheduling, "sunk", lambda order, reads, fixed: list(order))
    early = partition(schedule(program.graph, program.functions[0].nodes))
    assert late.work < 0.99 * early.work and late.live < 0.99 * early.live
    assert schedule(short.graph, short.functions[0].nodes) == as_it_was
