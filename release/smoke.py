"""The smoke test of an installed eomc, in an empty folder: python smoke.py [--without-compiler]"""

import math
import sys

import numpy as np

import eomc
from eomc.cli import main
from eomc.codegen.plan.errors import BuildError

# A physical pendulum: J q'' = -m g s sin q.
m, s, inertia, g = 1.5, 0.4, 0.3, 9.81
model = eomc.Model("smoke", gravity=(0, 0, -g))
model.body("rod", mass=m, com=(0, 0, -s), inertia=(inertia, inertia, 0))
model.joint("hinge", "revolute", parent="world", child="rod", axis=(0, 1, 0))
about_hinge = inertia + m * s**2

assert main(["doctor"]) == 0
eomc.convert(model, "smoke.toml")
assert eomc.load("smoke.toml") == model
assert eomc.emit(model, "emitted").is_dir()
if "--without-compiler" in sys.argv:
    try:
        eomc.build(model)
    except BuildError as error:
        assert "pip install 'eomc[compiler]'" in str(error), error
    else:
        print("a compiler answered all the same")
else:
    built = eomc.build(model)
    assert np.isclose(built.mass_matrix([0.3])[0, 0], about_hinge, rtol=1e-14)
    period = 2 * math.pi * math.sqrt(about_hinge / (m * g * s))
    run = eomc.simulate(model, q=[1e-4], t_span=period)
    assert abs(run.q[-1, 0] - 1e-4) < 1e-9, run.q[-1]
print("smoke test passed:", eomc.__version__, eomc.__file__)
