"""CUDA C++: kernels that evaluate a function, or advance a run, for many states, one a thread."""

import json
from dataclasses import replace

from eomc.codegen.c.manifest import manifest, model_hash
from eomc.codegen.cuda.body import KernelBody
from eomc.codegen.cuda.language import Cuda, declarations, sine_cosine
from eomc.codegen.cuda.steps import run_kernels
from eomc.codegen.language import FUNCTIONS, Request, Target, comment_text, register
from eomc.codegen.plan.interface import Interface
from eomc.codegen.templates.template import fill
from eomc.derive.graph.tuning import PIECE_SIZE

_DESCRIBED = (
    *("version", "name", "eomc", "hash", "real", "prefix", "functions", "rollouts"),
    *("parameters", "index_names", "return_codes"),
)
"""Of the manifest of the C: what kernels have, too."""


def files(face: Interface, request: Request) -> dict[str, str]:
    """One file of kernels, and their manifest."""
    language, limits = Cuda(face), request.limits
    if limits.piece < PIECE_SIZE:  # asked for where registers spill, in short functions too
        limits = replace(limits, whole=min(limits.whole, limits.piece))
    bodies = {entry.name: KernelBody(language, entry, limits).body() for entry in face.entries}
    functions = "\n".join(body.text for body in bodies.values())
    steps = run_kernels(face)
    text = fill(
        "kernels.cu",
        title=comment_text(face.program.name),
        m=face.prefix,
        M=face.macro,
        real=face.real.name,
        sine_cosine=sine_cosine(face, functions),
        declarations=declarations(face),
        functions=functions,
        steps=steps,
    )
    digest = model_hash({f"{face.prefix}.cu": text})
    described = json.loads(manifest(face, bodies, digest, 2, request.optimize))
    if not steps:
        described.pop("rollouts", None)
    content = {key: described[key] for key in _DESCRIBED if key in described}
    return {f"{face.prefix}.cu": text, f"{face.prefix}.json": json.dumps(content, indent=1) + "\n"}


RESERVED = (
    *("count", "codes", "k", "blockIdx", "blockDim", "threadIdx", "gridDim", "warpSize", "sincos"),
    *FUNCTIONS,
)

TARGET = register(Target("cuda", files, RESERVED, reals=("double", "float")))
