"""Strain energy and dissipation of deformable bodies: -dV/dxi and -dD/dxi'."""

from __future__ import annotations

import sympy

from eomc.derive.forces.loads import AllLoads, Scene, register


@register("elasticity")
def elasticity(scene: Scene, loads: AllLoads) -> None:
    """Add what each form declares, differentiated in SymPy."""
    for body in scene.model.deformables.values():
        xi = body.symbols
        rates = [sympy.Symbol(f"speed({symbol.name})") for symbol in xi]
        strain = sympy.sympify(body.form.strain_energy(xi))
        losses = sympy.sympify(body.form.dissipation(xi, rates))
        conservative = loads.conservative
        conservative.potential = conservative.potential + scene.scalar(strain)
        for symbol, rate in zip(xi, rates, strict=True):
            speed = scene.tree.speed_of[symbol.name]
            conservative.add_generalized(speed, -scene.scalar(sympy.diff(strain, symbol)))
            loads.other.add_generalized(speed, -scene.scalar(sympy.diff(losses, rate)))
