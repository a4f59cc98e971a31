"""A graph some of whose nodes are vectors of numbers."""

from eomc.derive.graph import Graph


class VectorGraph(Graph):
    """Constants of vectors are tuples; a number beside a vector stands for all of its lanes.

    vectors : the nodes that are vectors
    packs, unpacks : operations that lead from plain numbers to a vector, and from one to a number
    """

    __slots__ = ("packs", "unpacks", "vectors")

    def __init__(self, packs: str, *unpacks: str) -> None:
        super().__init__()
        self.packs, self.unpacks = packs, unpacks
        self.vectors: set[int] = set()

    def plain(self, op: str, *args: int) -> int:
        """The operation as it is, without normalization: on vectors where an operand is one."""
        node = self._node(op, *args)
        takes_out = op.startswith(self.unpacks)
        if not takes_out and (op == self.packs or not self.vectors.isdisjoint(args)):
            self.vectors.add(node)
        return node

    def vector_constant(self, *numbers: float) -> int:
        """A number for each lane."""
        key = ("vector constant", *map(float, numbers))
        node = self._index.get(key)
        if node is None:
            node = self._append("const", (), numbers, key)  # type: ignore[arg-type]
            self.vectors.add(node)
        return node
