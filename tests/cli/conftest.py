"""What the tests of the command line share."""

from pathlib import Path

import pytest
from cli.command import Command


@pytest.fixture
def eomc(capsys: pytest.CaptureFixture[str]) -> Command:
    """The command."""
    return Command(capsys)


@pytest.fixture
def pendulum() -> Path:
    """A model file."""
    return Path(__file__).parents[2] / "examples" / "models" / "pendulum.toml"
