"""What is wrong with the models of `test_each_check_alone`, by the check that alone finds it.

Checks that no mutant of docs/mutants.json needs; docs/house.md lists these.
"""

from __future__ import annotations

FAULTS = {
    "Lagrange": (
        "a rubber band that hangs on a pin, its stretch held by a turnbuckle",
        "the kinetic energy of a user's own form leaves out how stretching moves along with the "
        "rest; its weight, taken as an acceleration, then pulls at the turnbuckle no more",
    ),
    "consistency": (
        "a cart with a pendulum by Kane's method",
        "the inertia of the bob is changed after the equations were formed: the energy knows the "
        "new one, the mass matrix the old",
    ),
    "passivity": (
        "a trolley before an elastic bumper, a user's own force",
        "its potential is $k\\,d^2$ instead of $k\\,d^2/2$; no run comes near it, states at the "
        "limits do",
    ),
    "losses": (
        "a trolley with a brake, a user's own force that says it dissipates",
        "the sign of its force is wrong, so that it drives; what it says is the same everywhere",
    ),
    "momentum": (
        "a brake between two bodies in free flight, a user's own force that says it is internal",
        "the reaction acts at the origin of the body instead of the point that is declared",
    ),
    "linearization": (
        "a pendulum on a slide as a program of one's own, without rates of coordinates",
        "an entry of the derivatives of inverse dynamics, written by hand, is missing",
    ),
    "constraints": (
        "a follower on a cam whose angle is prescribed, held by an expression",
        "the derivation forgets that the cam accelerates: what constraints ask of accelerations "
        "lacks a term",
    ),
    "contact steps": (
        "a ball above a floor on which it bounces",
        "in the equations of a step the speed before it is missing",
    ),
}
"""Check: (the model, what is wrong with it)."""
