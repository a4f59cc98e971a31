"""The command line as a function of its arguments."""

from dataclasses import dataclass

import pytest

from eomc.cli import main


@dataclass(frozen=True)
class Answer:
    code: int
    out: str
    err: str

    @property
    def complaint(self) -> str:
        """The one line on stderr of a refused command."""
        assert self.code == 2, (self.code, self.err)
        assert self.out == ""
        assert self.err.startswith("eomc: ") and self.err.count("\n") == 1, self.err
        assert "Traceback" not in self.err
        return self.err


class Command:
    """Runs ``eomc`` in this process."""

    def __init__(self, capture: pytest.CaptureFixture[str]) -> None:
        self._capture = capture

    def __call__(self, *arguments: object) -> Answer:
        self._capture.readouterr()
        code = main([str(argument) for argument in arguments])
        return Answer(code, *self._capture.readouterr())
