"""Programs on Cortex-M boards that QEMU plays."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from eomc.codegen.plan.errors import BuildError
from eomc.codegen.plan.real import RealName

BOARD = Path(__file__).parent / "board"
COMPILER = "arm-none-eabi-gcc"
QEMU = "qemu-system-arm"
TIME_LIMIT = 300
"""Seconds after which a program counts as hung."""


@dataclass(frozen=True)
class Board:
    """A machine of QEMU, and the flags for its processor."""

    machine: str
    cpu: str
    fpu: tuple[str, ...]

    @property
    def flags(self) -> tuple[str, ...]:
        return (f"-mcpu={self.cpu}", "-mthumb", *self.fpu)


M4 = Board("mps2-an386", "cortex-m4", ("-mfpu=fpv4-sp-d16", "-mfloat-abi=hard"))
M7 = Board("mps2-an500", "cortex-m7", ("-mfpu=fpv5-d16", "-mfloat-abi=hard"))

_BOARDS: tuple[tuple[Board, RealName], ...] = ((M4, "float"), (M7, "double"), (M4, "double"))
COMBINATIONS: tuple[tuple[Board, RealName, bool], ...] = tuple(
    (board, real, small) for board, real in _BOARDS for small in (False, True)
)
"""Board, scalar type and whether the code is small; doubles are software on the first."""

ISO = ("-std=c99", "-ffp-contract=off", "-fno-math-errno")


MISSING = " ".join(f"{tool} is not here" for tool in (COMPILER, QEMU) if not shutil.which(tool))
"""Tools that are missing for a run, in words; empty if none is."""


def build(
    board: Board, folder: Path, sources: Sequence[str], optimization: str, *flags: str
) -> Path:
    """Compile C files of a folder with the board's startup code; BuildError if it fails."""
    program = folder / f"{board.cpu}{optimization}.elf"
    common = (*board.flags, *ISO, optimization, "-I.", f"-I{BOARD}", *flags)
    linked = ("-nostartfiles", "--specs=nosys.specs", "-T", str(BOARD / "board.ld"))
    files = (*sources, str(BOARD / "startup.c"))
    command = [COMPILER, *common, *files, *linked, "-lm", "-o", str(program)]
    result = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if result.returncode != 0:
        raise BuildError(f"{COMPILER} failed:\n{result.stderr}")
    return program


def run(board: Board, program: Path) -> tuple[int, str]:
    """The code with which a program ends, and what it said."""
    semihosting = ("-semihosting-config", "enable=on,target=native")
    quiet = ("-nographic", "-monitor", "none", "-serial", "none")
    command = [QEMU, "-M", board.machine, *quiet, *semihosting, "-kernel", str(program)]
    result = subprocess.run(
        command, capture_output=True, text=True, check=False, timeout=TIME_LIMIT
    )
    return result.returncode, result.stdout + result.stderr
