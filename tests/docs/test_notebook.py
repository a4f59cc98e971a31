"""One cell of a notebook moves a model."""

from __future__ import annotations

import pytest

CELL = """
import eomc

model = eomc.Model("pendulum")
model.body("rod", mass=1.5, com=(0, 0, -0.25), inertia=(0.03125, 0.03125, 0))
model.joint("hinge", "revolute", parent="world", child="rod", axis=(0, 1, 0))
eomc.simulate(model, {"hinge": 1.0}, t_span=1.0)
"""


def test_a_cell_shows_a_moving_model() -> None:
    nbclient = pytest.importorskip("nbclient", reason="the package nbclient is not installed")
    nbformat = pytest.importorskip("nbformat", reason="the package nbclient is not installed")
    pytest.importorskip("ipykernel", reason="the package ipykernel is not installed")
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(CELL)])
    nbclient.NotebookClient(notebook, timeout=120, kernel_name="python3").execute()
    (shown,) = notebook.cells[0].outputs
    page = shown["data"]["text/html"]
    assert "<iframe" in page and "hinge" in page
    assert "Trajectory" in shown["data"]["text/plain"]
