"""The command ``eomc``: one file a command, each a function with its options.

Heavy imports stand inside the commands, so that ``eomc --help`` answers at once.
"""

from __future__ import annotations

import contextlib
import os
import sys
import warnings
from collections.abc import Sequence
from typing import Any

from eomc.cli.application import application
from eomc.cli.errors import INTERRUPTED, explain, one_line

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; returns its exit code.

    0: done; 2: something about the input is wrong, told in one line on stderr; 1: a fault of eomc
    itself, whose traceback shows with the environment variable EOMC_TRACEBACK=1; 130: interrupted.
    """
    for stream in (sys.stdout, sys.stderr):
        # A name that the terminal's encoding lacks is no reason to fail.
        with contextlib.suppress(AttributeError, ValueError):
            stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    given = sys.argv[1:] if arguments is None else list(arguments)
    with warnings.catch_warnings():
        warnings.simplefilter("always", UserWarning)
        warnings.showwarning = _show_warning
        try:
            result = application(given)(given, prog_name="eomc", standalone_mode=False)
            sys.stdout.flush()
            return result if isinstance(result, int) else 0
        except BrokenPipeError:
            # Whoever read the output has enough (as in ``eomc info ... | head``).
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return 0
        except KeyboardInterrupt:
            print("eomc: interrupted", file=sys.stderr)
            return INTERRUPTED
        except Exception as error:
            return explain(error)


def _show_warning(message: Any, category: type[Warning], *place: Any, **more: Any) -> None:
    if issubclass(category, UserWarning):
        print(f"eomc: warning: {one_line(str(message))}", file=sys.stderr)
