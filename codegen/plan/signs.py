"""Signs as bits: linear equations over the field of two elements, solved as they come.

A sign is (-1)^e, where e is a sum of unknown bits and of a known one; its unknowns are the bits of
an integer. Products of signs are sums of exponents; that two signs are equal is an equation, from
which one unknown follows from others that came before it.
"""

Sign = tuple[int, int]
"""Unknowns of an exponent as bits of an integer, and its known part, 0 or 1."""


class Signs:
    """Unknown signs and what is known of them.

    >>> signs = Signs()
    >>> a, b = signs.unknown(), signs.unknown()
    >>> signs.equate(a, (b[0], 1)), signs.equate(a, b)
    (True, False)
    >>> sorted(signs.solution().items())
    [(0, 0), (1, 1)]
    """

    def __init__(self) -> None:
        self._count = 0
        self._follows: dict[int, Sign] = {}
        self._following = 0

    def unknown(self) -> Sign:
        """A sign that may be chosen."""
        self._count += 1
        return 1 << (self._count - 1), 0

    def reduced(self, sign: Sign) -> Sign:
        """The same sign by unknowns that follow from no others."""
        unknowns, known = sign
        while found := unknowns & self._following:
            more, bit = self._follows[found.bit_length() - 1]
            unknowns, known = unknowns ^ more, known ^ bit
        return unknowns, known

    def equate(self, first: Sign, second: Sign) -> bool:
        """Demand that two signs be equal; False, and no demand, if they never are."""
        unknowns, known = self.reduced((first[0] ^ second[0], first[1] ^ second[1]))
        if not unknowns:
            return known == 0
        last = unknowns.bit_length() - 1
        self._follows[last] = unknowns, known
        self._following |= 1 << last
        return True

    def solution(self) -> dict[int, int]:
        """The exponent of each unknown, 0 where it may be chosen."""
        values = 0
        for bit in range(self._count):
            if bit in self._follows:
                unknowns, known = self._follows[bit]
                values |= ((unknowns & values).bit_count() & 1 ^ known) << bit
        return {bit: values >> bit & 1 for bit in range(self._count)}
