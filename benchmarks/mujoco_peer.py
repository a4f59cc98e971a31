"""MuJoCo's C functions from the library of its wheel; its derivatives are differences."""

from __future__ import annotations

import ctypes
import subprocess
from pathlib import Path

import numpy as np

from benchmarks.compiling import PLAIN_FLAGS, c_function
from benchmarks.contender import Contender, Unavailable
from benchmarks.mechanism import Link, Mechanism

NAME = "MuJoCo"
SOURCE = Path(__file__).with_name("mujoco_driver.c")
# Of forward differences with a step of 1e-6: 30 links multiply their rounding by M^-1.
DIFFERENCES = 1e-3


def mujoco(mechanism: Mechanism, function: str, folder: Path) -> list[Contender]:
    """One of its functions on the mechanism; raises Unavailable without MuJoCo or function."""
    if function == "inverse_dynamics_second_derivatives":
        raise Unavailable("it has none")
    driver = loaded(mjcf(mechanism), folder)
    if function == "forward_dynamics_derivatives":
        name = f"{NAME}, by differences"
        return [Contender(name, c_function(driver, function), tolerance=DIFFERENCES)]
    return [Contender(NAME, c_function(driver, function))]


def loaded(text: str, folder: Path) -> Path:
    """A library of MuJoCo's functions on the model of a text; raises Unavailable without MuJoCo."""
    try:
        import mujoco as package
    except ImportError:
        raise Unavailable("install the package mujoco for MuJoCo") from None
    home = Path(package.__file__).parent
    library = next(home.glob("libmujoco.so*"), None)
    if library is None:
        raise Unavailable("the package mujoco ships no library for this system")
    folder.mkdir(parents=True, exist_ok=True)
    model = folder / "model.xml"
    model.write_text(text, encoding="utf-8")
    driver = folder / "driver.so"
    command = [
        *("gcc", *PLAIN_FLAGS, "-shared", f"-I{home / 'include'}", str(SOURCE), str(library)),
        *(f"-Wl,-rpath,{home}", "-o", str(driver)),
    ]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    if result.returncode:
        raise Unavailable(f"MuJoCo's driver does not compile: {result.stderr[:500]}")
    said = ctypes.create_string_buffer(1000)
    if ctypes.CDLL(str(driver)).load(str(model).encode(), said, len(said)):
        raise Unavailable(f"MuJoCo refuses the model: {said.value.decode().splitlines()[0]}")
    return driver


def mjcf(mechanism: Mechanism) -> str:
    """The mechanism as MuJoCo reads it; raises Unavailable if it would number the joints anew."""
    children: dict[int, list[int]] = {}
    for index, link in enumerate(mechanism.links):
        children.setdefault(link.parent, []).append(index)
    waiting, order = [-1], []
    while waiting:  # depth first, as MuJoCo numbers them
        order.append(waiting.pop())
        waiting += reversed(children.get(order[-1], []))
    if order != sorted(order):
        raise Unavailable("MuJoCo numbers the joints of this mechanism in another order")

    def body(index: int) -> str:
        inside = "".join(map(body, children.get(index, ())))
        return f"{_body(index, mechanism.links[index])}{inside}</body>"

    bodies = "".join(map(body, children.get(-1, ())))
    return (
        '<mujoco><compiler angle="radian" boundmass="0" boundinertia="0" balanceinertia="false"/>'
        f'<option gravity="{_text(mechanism.gravity)}">'
        '<flag contact="disable" limit="disable"/></option>'
        f"<worldbody>{bodies}</worldbody></mujoco>"
    )


def _body(index: int, link: Link) -> str:
    axes = np.concatenate([link.rotation[:, 0], link.rotation[:, 1]])
    t = link.tensor
    inertia = _text((t[0, 0], t[1, 1], t[2, 2], t[0, 1], t[0, 2], t[1, 2]))
    return (
        f'<body name="b{index}" pos="{_text(link.offset)}" xyaxes="{_text(axes)}">'
        f'<inertial pos="{_text(link.center)}" mass="{_text(link.mass)}" fullinertia="{inertia}"/>'
        f'<joint name="j{index}" type="hinge" axis="{_text(np.eye(3)[link.axis])}"/>'
    )


def _text(numbers: object) -> str:
    return " ".join(repr(float(x)) for x in np.ravel(np.asarray(numbers)))
