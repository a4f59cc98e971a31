"""The Cython module of a model that runs without eomc: the binding with the model's table inside.

Its text is that of the binding, which eomc itself uses for every model; only the end differs.
"""

from collections.abc import Mapping

from eomc.binding.files import HEADERS, included, text
from eomc.codegen.language.comment import comment_text
from eomc.codegen.plan.interface import Interface
from eomc.codegen.templates.template import fill


def module_files(face: Interface, table: Mapping[str, str]) -> dict[str, str]:
    """``<model>_module.pyx``, the table, the headers of both, and a ``setup.py`` that builds it."""
    title = comment_text(f"Equations of motion of {face.program.name}, made by eomc.")
    quoted = title.replace("\\", "\\\\").replace('"', "'")
    module = fill("module.pyx", title=quoted, binding=included(_INCLUDES))
    return {
        **table,
        **{name: text(name) for name in HEADERS},
        f"{face.prefix}_module.pyx": module,
        "setup.py": fill("setup.py.txt", m=face.prefix),
    }


_INCLUDES = "".join(
    line + "\n" for line in text("binding.pyx").splitlines() if line.startswith("include ")
)
