"""The manifest: what a program reads to use a compiled model without knowing how it was made."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict
from importlib.metadata import PackageNotFoundError, version

from eomc.codegen.c.closed_loop import ClosedLoopFunction, closed_loops
from eomc.codegen.c.routines import described_routines
from eomc.codegen.language.body import FunctionText
from eomc.codegen.plan.cost import Optimize
from eomc.codegen.plan.errors import EmissionError
from eomc.codegen.plan.interface import EmittedFunction, Interface, Port

VERSION = 2
"""Of the names that stand in a manifest."""


def manifest(
    face: Interface, bodies: Mapping[str, FunctionText], digest: str, lanes: int, optimize: Optimize
) -> str:
    """JSON text of ``<model>.json``; ``hash`` is that of `model_hash`, which the C files bear.

    Raises EmissionError if the program's metadata is not JSON.
    """
    program = face.program
    content: dict[str, object] = {
        "version": VERSION,
        "name": program.name,
        "eomc": eomc_version(),
        "hash": digest,
        "real": face.real.name,
        "prefix": face.prefix,
        "module": f"{face.prefix}_module",
        "lanes": lanes,
        "optimize": optimize,
        "functions": {
            entry.function.name: _function(entry, bodies[entry.name]) for entry in face.entries
        },
        **described_routines(face, bodies, lanes),
        "parameters": [
            {
                "name": member.parameter.name,
                "member": member.name,
                "default": member.parameter.default,
                "units": member.parameter.units,
                "description": member.parameter.description,
            }
            for member in face.members
        ],
        "index_names": {name: list(entries) for name, entries in program.index_names.items()},
        "return_codes": {status.code: status.value for status in face.statuses},
        "metadata": dict(program.metadata),
    }
    loops = [_closed_loop(face, loop) for loop in closed_loops(face)]
    if loops:
        content["closed_loops"] = loops
    try:
        return json.dumps(content, indent=1, allow_nan=False) + "\n"
    except (TypeError, ValueError) as error:
        raise EmissionError(f"the metadata of {program.name!r} is not JSON: {error}") from None


def _function(entry: EmittedFunction, body: FunctionText) -> dict[str, object]:
    function = entry.function
    return {
        "symbol": entry.symbol,
        "python": entry.name,
        "description": function.description,
        "inputs": [_argument(port) for port in entry.inputs],
        "outputs": [_argument(port) for port in entry.outputs],
        "return_codes": list(dict.fromkeys(guard.code for guard in function.guards)),
        "operations": dict(body.operations),
        "statements": body.statements,
        "stack_bytes": body.stack,
        **({"loops": True} if body.form and body.form.name == "loops" else {}),
        **({"form": asdict(body.form)} if body.form else {}),
    }


def _closed_loop(face: Interface, loop: ClosedLoopFunction) -> dict[str, object]:
    names = ["q", "u", *(port.argument.name for port in loop.inputs)]
    return {
        "name": loop.name,
        "symbol": f"{face.prefix}_{loop.name}",
        "law": loop.law.function.name,
        "integrator": loop.method.tableau.name,
        "inputs": [*names, "t"] if loop.timed else names,
        "output": loop.output.argument.name,
    }


def _argument(port: Port) -> dict[str, object]:
    argument = port.argument
    return {
        "name": argument.name,
        "c_name": port.name,
        "shape": list(argument.shape),
        "units": argument.units,
        "description": argument.description,
        "rows": list(argument.rows),
    }


def model_hash(files: Mapping[str, str]) -> str:
    """SHA-256 of the header and the C files before they bear it: of what the model computes."""
    digest = hashlib.sha256()
    for name, text in files.items():
        digest.update(f"{name}\0{len(text)}\0".encode())
        digest.update(text.encode())
    return digest.hexdigest()


def eomc_version() -> str:
    """Version of eomc."""
    try:
        return version("eomc")
    except PackageNotFoundError:  # run from a source tree that was never installed
        return "0+unknown"
