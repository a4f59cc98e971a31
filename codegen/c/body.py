"""A function in C: in one file, or with its pieces in files of their own where it is very long."""

from eomc.codegen.c.language import C99
from eomc.codegen.language.body import BodyWriter
from eomc.codegen.plan.interface import EmittedFunction
from eomc.codegen.plan.partition import PieceLimits
from eomc.codegen.plan.zeros import between
from eomc.derive.graph import ZERO, Graph


class CWriter(BodyWriter):
    """Writes one function, what is always zero between its statements; pieces of more statements
    than a file takes stand apart."""

    language: C99

    def __init__(
        self, language: C99, entry: EmittedFunction, limits: PieceLimits, graph: Graph | None = None
    ) -> None:
        super().__init__(language, entry, limits, graph)
        self.is_spread = self.is_cut and len(self.plan.order) > limits.file

    def _plan_stores(self) -> tuple[dict[int, list[tuple[int, int, bool]]], list[tuple[int, int]]]:
        following, final = super()._plan_stores()
        texts: list[str] = []
        for number, port in enumerate(self.entry.outputs):
            entries = port.argument.entries
            if ZERO not in entries:
                continue
            places = [k for k, node in enumerate(entries) if node == ZERO]
            lines = self._zeros(number, places)
            if lines is not None:
                texts += lines
                cleared = {(number, place) for place in places}
                final = [store for store in final if store not in cleared]
        if texts:
            order, slots, first = self.plan.order, self.parts.slots, self._first_beside_zeros()
            stores = [len(following.get(node, ())) + (node in slots) for node in order[first:]]
            self.before = {first + k: lines for k, lines in between(texts, stores).items()}
        return following, final

    def _first_beside_zeros(self) -> int:
        """The statement from which on entries that are always zero are stored."""
        return 0

    def _zeros(self, number: int, places: list[int]) -> list[str] | None:
        """Statements that clear these places of an output, wherever they stand; None, as here, if
        the places are stored at the end."""
        return None

    def _texts(self) -> tuple[str, tuple[tuple[str, int], ...]]:
        """The function with declarations of its pieces, and these."""
        if not self.is_spread:
            return super()._texts()
        pieces = [self._piece(number) for number in range(len(self.parts.pieces))]
        bare = [text.removeprefix("static ") for text, _ in pieces]
        heads = [text.partition("\n{\n")[0] for text in bare]
        apart = tuple(
            (f"{head};\n{text}", len(piece))
            for head, text, piece in zip(heads, bare, self.parts.pieces, strict=True)
        )
        return "".join(f"{head};\n" for head in heads) + "\n" + self._calling(pieces), apart
