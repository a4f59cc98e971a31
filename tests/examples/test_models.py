"""Every example model compiles and moves as mechanics demands."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from scipy.integrate import simpson

import eomc

MODELS = sorted((Path(__file__).parents[2] / "examples" / "models").glob("*.toml"))


@pytest.mark.parametrize("path", MODELS, ids=lambda path: path.stem)
def test_energy_changes_by_the_power_of_what_acts(path: Path) -> None:
    model = eomc.build(path)
    rng = np.random.default_rng(11)
    q = model.integrate(model.neutral(), 0.4 * rng.normal(size=model.nu))
    u, tau = 0.5 * rng.normal(size=(2, model.nu))
    inputs = dict.fromkeys(model.inputs, 0.3)
    run = eomc.simulate(
        model,
        q,
        u,
        t_span=0.5,
        tau=tau,
        inputs=inputs,
        step=1e-4,
        rtol=1e-10,
        atol=1e-12,
        assemble=True,
    )
    power = run.evaluate("power")
    work = simpson(power, x=run.t)
    gained = run.energy[-1] - run.energy[0]
    assert abs(work - gained) < 1e-7 * max(1.0, np.abs(run.kinetic_energy).max())
    assert np.ptp(run.energy) > 1e-3, "the run shows nothing"
