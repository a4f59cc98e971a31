"""C on vectors of compilers, one state a lane: how it differs from C on scalars."""

from collections.abc import Sequence
from functools import cached_property

from eomc.codegen.c.language import C99, wrapped
from eomc.codegen.plan.interface import EmittedFunction, Interface, Port


class Lanes(C99):
    """Every value is a vector, every argument an array of all lanes of all its entries."""

    @cached_property
    def value_type(self) -> str:
        return f"{self.face.prefix}_lanes_vector"

    @cached_property
    def condition_type(self) -> str:
        return f"{self.face.prefix}_lanes_mask"

    def element(self, port: Port, index: int) -> str:
        return f"{self.face.macro}_ROW({port.name}, {index})"

    def parameter(self, number: int) -> str:
        return f"{self.face.macro}_ROW(p, {number})"

    def output(self, port: Port, index: int) -> str:
        return f"{self.face.macro}_PUT({port.name}, {index})"

    def aligned_array(self, name: str, size: int) -> str:
        return f"{self.value_type} {name}[{size}];"

    def saved_condition(self, name: str) -> str:
        return f"({self.value_type}){name}"

    def loaded_condition(self, slot: str) -> str:
        return f"({self.condition_type}){slot}"

    def argument(self, port: Port) -> str:
        return lanes_declaration(self.face, port.name, port.size, is_output=port.is_output)

    def parameters_argument(self) -> str:
        return lanes_declaration(self.face, "p", len(self.face.members), is_output=False)

    def work_argument(self, size: int) -> str:
        return f"{self.value_type} *{self.face.macro}_RESTRICT work"

    def arguments(self, entry: EmittedFunction) -> list[str]:
        codes = f"int codes[{self.face.macro}_RESTRICT {self.face.macro}_LANES]"
        return [*super().arguments(entry), codes]

    def definition(self, entry: EmittedFunction, lines: Sequence[str]) -> str:
        return self.frame(f"int {entry.symbol}_lanes", self.arguments(entry), lines)

    def definition_head(self, entry: EmittedFunction) -> str:
        return wrapped(f"int {entry.symbol}_lanes", self.arguments(entry))

    def piece_name(self, entry: EmittedFunction, number: int) -> str:
        return f"{entry.symbol}_lanes_piece_{number}"


def all_lanes(face: Interface, count: int) -> str:
    """So many numbers of each lane."""
    return f"{count}*{face.macro}_LANES" if count != 1 else f"{face.macro}_LANES"


def lanes_declaration(face: Interface, name: str, size: int, *, is_output: bool) -> str:
    """An argument with all lanes of all its entries."""
    const = "" if is_output else "const "
    extent = f" {all_lanes(face, size)}" if size else ""
    return f"{const}{face.real_type} {name}[{face.macro}_RESTRICT{extent}]"
