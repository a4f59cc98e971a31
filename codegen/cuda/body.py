"""The body of one function of the device."""

from eomc.codegen.language.body import BodyWriter
from eomc.codegen.language.expression import Expressions
from eomc.codegen.language.language import INDENT
from eomc.codegen.plan.zeros import runs
from eomc.derive.graph.node import ZERO

_FEWEST = 16
"""Entries that are always zero, from which on a loop stores them: the places of single ones are
computed all before the first is stored, and do not fit into registers."""


class KernelBody(BodyWriter):
    """Writes one function; many zeros are stored by a loop over where they begin and end."""

    def _final_stores(self, writer: Expressions, lines: list[str]) -> None:
        for number, port in enumerate(self.entry.outputs):
            places = [k for k, node in enumerate(port.argument.entries) if node == ZERO]
            if len(places) < _FEWEST:
                continue
            cleared = {(number, place) for place in places}
            self.final_stores = [store for store in self.final_stores if store not in cleared]
            found = runs(places)
            ends = ", ".join(f"{run.start}, {run.stop}" for run in found)
            rolled, end = f"{self.face.macro}_ROLLED", 2 * len(found)
            lines += [
                f"{INDENT}{{",
                f"{INDENT * 2}static const int zeros[{end}] = {{{ends}}};",
                f"{INDENT * 2}{rolled} for (int first = 0; first < {end}; first += 2) {{",
                f"{INDENT * 3}{rolled} for (int entry = zeros[first]; entry < zeros[first + 1]; "
                "entry++) {",
                f"{INDENT * 4}{port.name}[(size_t)entry] = {self.language.zero};",
                f"{INDENT * 3}}}",
                f"{INDENT * 2}}}",
                f"{INDENT}}}",
            ]
        super()._final_stores(writer, lines)
