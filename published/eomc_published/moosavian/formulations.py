"""The formulations that several cases share, each derived once."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np

import eomc
from eomc.binding.arrays import Array
from eomc.building import build
from eomc.derive.equations import Equations
from eomc.derive.geometry import Vector
from eomc.derive.graph import Expression, Graph, evaluate, nodes
from eomc.runtime import CompiledModel
from eomc.systems.free_flyer import FreeFlyer, tree_model
from eomc.systems.free_flyer.tree_model import Attitude
from eomc_published.moosavian.formulation import FreeFlyerFormulation
from eomc_published.moosavian.formulation.barycentric import Barycentric
from eomc_published.moosavian.formulation.chain import Chain
from eomc_published.moosavian.formulation.direct_path import DirectPath
from eomc_published.moosavian.formulation.formulation import Form, Path

_FRAMES = ("frame_base_pose",)


@cache
def formulation(
    flyer: FreeFlyer, form: Form = "euler_angles", path: Path = "direct"
) -> FreeFlyerFormulation:
    """The explicit formulation with numeric parameters."""
    return FreeFlyerFormulation(flyer, form, path)


@cache
def tree(
    flyer: FreeFlyer, attitude: Attitude = "euler_angles", thrusters: bool = False
) -> Equations:
    """The package's own equations of the tree."""
    return eomc.equations(tree_model(flyer, attitude, thrusters=thrusters))


@cache
def compiled_tree(flyer: FreeFlyer, attitude: Attitude = "euler_angles") -> CompiledModel:
    """The compiled tree, in the tree's order of coordinates."""
    functions = ("mass_matrix", "bias", "coordinate_rates", "center_of_mass_jacobian", *_FRAMES)
    return build(tree_model(flyer, attitude), functions=functions)


class Uncut(Barycentric):
    """Barycentric vectors, terms that couple R_CM to the rest written out although they vanish."""

    coupled = True


def direct_and_barycentric(flyer: FreeFlyer) -> tuple[DirectPath, Barycentric]:
    """Both kinematics in coordinate rates, each on its own graph."""
    return DirectPath(Chain(flyer)), Barycentric(Chain(flyer))


def values(
    graph: Graph, outputs: Sequence[Expression], shape: tuple[int, ...], **arrays: Array
) -> Array:
    """`outputs` at a batch of states, (batch, *shape); arrays (batch, n) by name of the input."""
    known = {
        f"{name}[{i}]": array[..., i]
        for name, array in arrays.items()
        for i in range(array.shape[-1])
    }
    batch = next(iter(arrays.values())).shape[:-1]
    found = evaluate(graph, nodes(outputs), known)
    return np.stack([np.broadcast_to(f, batch) for f in found], axis=-1).reshape(*batch, *shape)


def vector_values(graph: Graph, vectors: Sequence[Vector], **arrays: Array) -> Array:
    """(batch, len(vectors), 3)"""
    return values(graph, [entry for v in vectors for entry in v], (len(vectors), 3), **arrays)


def matrix_values(graph: Graph, rows: Sequence[Sequence[Expression]], **arrays: Array) -> Array:
    """(batch, rows, columns)"""
    flat = [entry for row in rows for entry in row]
    return values(graph, flat, (len(rows), len(rows[0])), **arrays)


def largest(array: Array) -> float:
    """max |entry|"""
    return float(np.abs(array).max())
