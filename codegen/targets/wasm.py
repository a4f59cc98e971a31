"""WebAssembly: the C files, what stands in for a C library, and a module of JavaScript that calls.

The arithmetic is IEEE 754's, as in the C of `eomc.build`: the same bits come out, but for functions
of the mathematics library, which are musl's here.
"""

from importlib.resources import files as resources

from eomc.codegen.language.target import Request, Target, register
from eomc.codegen.plan.interface import Interface
from eomc.codegen.targets.c99 import files as c_files
from eomc.codegen.wasm.command import command_line
from eomc.codegen.wasm.freestanding import freestanding_files


def files(face: Interface, request: Request) -> dict[str, str]:
    """C files, header and manifest; mathematics, ``model.js`` and how to compile it all."""
    made = c_files(face, request)
    kept = {name: text for name, text in made.items() if name.endswith((".c", ".h", ".json"))}
    kept |= freestanding_files(text for name, text in kept.items() if name.endswith(".c"))
    script = command_line(face.prefix, kept)
    glue = (resources("eomc.codegen.wasm") / "model.js").read_text("utf-8")
    return {**kept, "model.js": glue, "build.sh": script}


TARGET = register(Target("wasm", files, for_loops=True))
