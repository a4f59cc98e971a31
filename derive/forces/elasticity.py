"""Strain energy and dissipation of deformable bodies: -dV/dxi and -dD/dxi'."""

from __future__ import annotations

from eomc.derive.graph import Expression, nodes, reverse_gradient
from eomc.derive.scene.loads import AllLoads, Scene, register


@register("elasticity")
def elasticity(scene: Scene, loads: AllLoads) -> None:
    """Add what each form declares, differentiated on the graph."""
    tree, variables = scene.tree, scene.variables
    for body in scene.deformables.values():
        names = body.coordinates
        strain, losses = scene.scalar(body.strain_energy), scene.scalar(body.dissipation)
        loads.conservative.potential = loads.conservative.potential + strain
        xi = [variables[name] for name in names]
        xi_rates = [variables[rate.name] for rate in body.rates]
        for share, energy, by in (
            (loads.conservative, strain, xi),
            (loads.other, losses, xi_rates),
        ):
            slopes = reverse_gradient(tree.graph, energy.node, nodes(by))
            for name, slope in zip(names, slopes, strict=True):
                share.add_generalized(tree.speed_of[name], -Expression(tree.graph, slope))
