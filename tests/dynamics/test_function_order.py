"""Lists of functions do not depend on what was imported first."""

import subprocess
import sys

import pytest

_LIST = "from eomc.derive.functions import KINDS; print(*KINDS)"


@pytest.mark.slow
@pytest.mark.parametrize(
    "first",
    [
        "eomc.derive.functions.reactions",
        "eomc.derive.functions.linearization",
        "eomc.derive.system.constraints",
        "eomc.derive.formats.load",
    ],
)
def test_the_order_of_functions_is_fixed(first: str) -> None:
    found = [
        subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, check=True
        ).stdout.split()
        for code in (_LIST, f"import {first}; {_LIST}")
    ]
    assert found[0] == found[1]
    assert found[0][:3] == ["inverse_dynamics", "forward_dynamics", "mass_matrix"]
