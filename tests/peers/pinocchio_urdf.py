"""Pinocchio's own reading of a URDF file, with the maps from our coordinates by joint names."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from peers.correspondence import Correspondence

pin = pytest.importorskip("pinocchio", reason="Pinocchio (package pin) is not installed")

_ROOT = "root_joint"
# Our (x y z qw qx qy qz | vx vy vz wx wy wz) of a floating base in Pinocchio's order.
_ROOT_Q = dict(zip(("x", "y", "z", "qx", "qy", "qz", "qw"), range(7), strict=True))
_ROOT_U = dict(zip(("vx", "vy", "vz", "wx", "wy", "wz"), range(6), strict=True))


def pinocchio_urdf(
    path: Path,
    coordinates: Sequence[str],
    speeds: Sequence[str],
    *,
    floating: bool = False,
    locked: Sequence[str] = (),
    mimic: bool = True,
    damping: bool = False,
) -> Correspondence:
    """`coordinates`, `speeds`: our names. With `mimic` the file's mimic rules hold.

    Pinocchio's parser is left to free all mimic joints; the rules are read from the XML.
    """
    model = (
        pin.buildModelFromUrdf(str(path), pin.JointModelFreeFlyer())
        if floating
        else (pin.buildModelFromUrdf(str(path)))
    )
    if locked:
        ids = [model.getJointId(name) for name in locked]
        model = pin.buildReducedModel(model, ids, pin.neutral(model))
    rules = _mimic_rules(path) if mimic else {}
    q_index = {name: k for k, name in enumerate(coordinates)}
    u_index = {name: k for k, name in enumerate(speeds)}
    q_map, u_map = np.zeros((model.nq, len(q_index))), np.zeros((model.nv, len(u_index)))
    q_offset, circles = np.zeros(model.nq), []
    for name in list(model.names)[1:]:
        joint = model.joints[model.getJointId(name)]
        if name == _ROOT:
            for suffix, place in _ROOT_Q.items():
                q_map[joint.idx_q + place, q_index[f"root_{suffix}"]] = 1
            for suffix, place in _ROOT_U.items():
                u_map[joint.idx_v + place, u_index[f"root_{suffix}"]] = 1
            continue
        target, multiplier, offset = rules.get(name, (name, 1.0, 0.0))
        if joint.nq == 2:
            circles.append(joint.idx_q)
        q_map[joint.idx_q, q_index[target]] = multiplier
        q_offset[joint.idx_q] = offset
        u_map[joint.idx_v, u_index[target]] = multiplier
    peer = Correspondence(model, q_map, q_offset, u_map, circles)
    if damping:
        peer.damping = np.array(model.damping)
        peer.friction, peer.friction_speed = np.zeros(model.nv), np.ones(model.nv)
    return peer


def _mimic_rules(path: Path) -> dict[str, tuple[str, float, float]]:
    """Joint -> (joint that it follows, multiplier, offset)."""
    rules = {}
    for joint in ET.parse(path).getroot().iter("joint"):
        rule = joint.find("mimic")
        if rule is not None:
            multiplier, offset = rule.get("multiplier", "1"), rule.get("offset", "0")
            rules[joint.get("name", "")] = (rule.get("joint", ""), float(multiplier), float(offset))
    return rules
