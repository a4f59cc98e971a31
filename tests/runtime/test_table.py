"""Inputs that are interpolated from a table, and maps of stability."""

from pathlib import Path

import numpy as np
import pytest
from scipy.interpolate import CubicSpline

from eomc.runtime.excitation.table import TableSignal
from eomc.runtime.plot.linear_models import plot_stability


def test_lines_and_splines_between_rows_and_their_ends_beyond() -> None:
    times, values = [0.0, 1.0, 3.0, 4.0], [0.0, 10.0, 30.0, -5.0]
    line, curve = TableSignal(times, values), TableSignal(times, values, "cubic")
    assert line(2.0) == 20.0 and line(-1.0) == 0.0 and line(9.0) == curve(9.0) == -5.0
    t = np.linspace(0.0, 4.0, 23)
    assert np.array_equal(curve(t), CubicSpline(times, values, bc_type="natural")(t))
    assert line(2.0, np.zeros(3), np.zeros(3)) == 20.0


def test_columns_of_a_file(tmp_path: Path) -> None:
    path = tmp_path / "wind.csv"
    path.write_text("time,gust\n0,1\n2,5\n")
    assert TableSignal.read_csv(path, "gust", time="time")(1.0) == 3.0
    with pytest.raises(ValueError, match=r"wind.csv: no column 't'; it has time, gust"):
        TableSignal.read_csv(path, "gust")
    path.write_text("t,gust\n0,1\n2,strong\n")
    with pytest.raises(ValueError, match=r"wind.csv:3: '2', 'strong': no numbers"):
        TableSignal.read_csv(path, "gust")
    path.write_text("t,gust\n0,1\n")
    with pytest.raises(ValueError, match=r"wind.csv: times \(1,\)"):
        TableSignal.read_csv(path, "gust")


@pytest.mark.parametrize(
    ("times", "values", "kind", "message"),
    [
        ([0.0, 1.0], [1.0], "linear", "give two columns of one length"),
        ([0.0, 1.0, 1.0], [1.0, 2.0, 3.0], "linear", "row 3: the time 1 does not rise"),
        ([0.0, 1.0], [1.0, np.nan], "linear", "row 2 is not finite"),
        ([0.0, 1.0], [1.0, 2.0], "quadratic", "valid: 'linear', 'cubic'"),
    ],
)
def test_tables_that_say_nothing(
    times: list[float], values: list[float], kind: str, message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        TableSignal(times, values, kind)


def test_a_map_of_growing_roots() -> None:
    """x'' + c x' + k x = 0: none grow for c, k > 0, one for k < 0, two for c < 0 < k."""
    damping, stiffness = np.array([-1.0, 1.0]), np.array([-1.0, 1.0, 2.0])
    growing = [[1, 1], [2, 0], [2, 0]]
    ax = plot_stability(("c [N s/m]", damping), ("k [N/m]", stiffness), growing)
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("c [N s/m]", "k [N/m]")
    (shown,) = ax.collections
    colors = shown.cmap(shown.norm(np.asarray(growing, float)))
    assert np.all(colors[1:, 1] == 1.0)  # white where nothing grows
    assert len({tuple(color) for color in colors.reshape(-1, 4)}) == 3
    with pytest.raises(ValueError, match=r"growing has shape \(2, 2\), expected \(3, 2\)"):
        plot_stability(("c", damping), ("k", stiffness), np.zeros((2, 2)))
