"""A graph some of whose nodes are vectors of numbers."""

from eomc.codegen.plan.schedule import without_sign
from eomc.derive.graph import Graph


class VectorGraph(Graph):
    """Constants of vectors are tuples; a number beside a vector stands for all of its lanes.

    vectors : the nodes that are vectors, and their lanes
    packs : operation that leads from plain numbers to a vector
    unpacks : beginnings of operations that lead from one to a number
    """

    __slots__ = ("packs", "unpacks", "vectors")

    def __init__(self, packs: str, *unpacks: str) -> None:
        super().__init__()
        self.packs, self.unpacks = packs, unpacks
        self.vectors: dict[int, int] = {}

    def plain(self, op: str, *args: int) -> int:
        """The operation as it is, without normalization: on vectors where an operand is one."""
        node = self._node(op, *args)
        if op == self.packs:
            self.vectors[node] = len(args)
        elif not op.startswith(self.unpacks):
            for arg in args:
                if arg in self.vectors:
                    self.vectors[node] = max(self.vectors[arg], self.vectors.get(node, 0))
        return node

    def shuffled(self, vector: int, lanes: str, other: int | None = None) -> int:
        """Lanes of a vector in another order, or of two, those of the other counted on."""
        inner = without_sign(self, vector)
        if inner != vector and other is None:
            return self.plain("neg", self.shuffled(inner, lanes))
        node = self._node(f"shuffle{lanes}", vector, vector if other is None else other)
        self.vectors[node] = len(lanes)
        return node

    def outward(self, op: str, *args: int) -> int:
        """The operation on numbers whose signs move outwards, where sums take them for nothing."""
        inner = [without_sign(self, arg) for arg in args]
        negative = [arg != x for arg, x in zip(args, inner, strict=True)]
        if op == "mul":
            made = self.plain(op, *inner)
            return self.plain("neg", made) if negative[0] != negative[1] else made
        if op not in ("add", "sub"):
            return self.plain(op, *args)
        (x, y), (first, second) = inner, negative
        if op == "sub":
            second = not second
        if first == second:
            made = self.plain("add", x, y)
            return self.plain("neg", made) if first else made
        return self.plain("sub", y, x) if first else self.plain("sub", x, y)

    def negated(self, node: int) -> int:
        """The same number by a computation of its negative, where that takes no more: x - y, and
        sums with a product, whose sign instructions that fuse both take for nothing."""
        inner = without_sign(self, node)
        is_negative, args = inner != node, self.args[inner]
        if self.op[inner] == "sub":
            made = self.plain("sub", args[1], args[0])
        elif self.op[inner] == "add" and "mul" in (self.op[args[0]], self.op[args[1]]):
            x, y = args if self.op[args[0]] == "mul" else args[::-1]
            made = self.plain("sub", self.plain("neg", x), y)
        else:
            return node
        return made if is_negative else self.plain("neg", made)

    def vector_constant(self, *numbers: float) -> int:
        """A number for each lane."""
        key = ("vector constant", *map(float, numbers))
        node = self._index.get(key)
        if node is None:
            node = self._append("const", (), numbers, key)  # type: ignore[arg-type]
            self.vectors[node] = len(numbers)
        return node
