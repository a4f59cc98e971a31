"""A body declared as a structure: tables of nodes, members, sections, springs, links and masses.

The structure is assembled by `eomc.derive.finite_elements.structure` and reduced to modes by
`from_structure`; what comes out is a `ModalBody`, which answers for this form.
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import sympy

from eomc.derive.bodies.form import Attachment, Form, Invariants
from eomc.derive.bodies.modal_body import ModalBody
from eomc.derive.fields.field import truth, unread
from eomc.derive.language.errors import ModelError
from eomc.derive.language.near_names import near_names
from eomc.derive.language.registry import kind
from eomc.derive.language.scalar import Scalar

if TYPE_CHECKING:
    from eomc.derive.finite_elements.structure import Structure

Symbols = Sequence[sympy.Symbol]
_MEMBER = ("start", "end", "section", "kind", "elements", "y_axis")
_NUMBERS = ("elements", "mass", "x", "y", "z", "stiffness", "retardation")


@kind("structure")
class StructureBody(Form):
    """Body of bars, beams, springs, rigid links and masses between nodes, in its modes.

    Tables are lists of mappings or of lists in the order given here; `nodes` and `members` may be
    names of CSV files with a first line of names. Of a model file their paths start at its folder.

    >>> mast = StructureBody(
    ...     nodes={"foot": (0, 0), "top": (0, 3)}, planar=True, modes=2, root="foot",
    ...     sections={"tube": {"area": 1e-3, "density": 2700, "E": 7e10, "Iz": 1e-7}},
    ...     members=[("foot", "top", "tube", "beam", 4)], stations=["top"])
    >>> mast.coordinates
    ('e1', 'e2')

    Parameters
    ----------
    nodes : table
        Rows (name, x, y[, z]), or a mapping of names to places [m].
    members : table
        Rows (start, end, section[, kind, elements, y_axis]); kind "bar" (by default) or "beam", of
        so many elements.
    sections : mapping
        Arguments of `Section`, by words, under names.
    masses, springs, links : table
        Rows (node, mass[, inertia]); (start, end, stiffness[, retardation]); and, of rigid ones,
        (master, slave).
    means : mapping
        Nodes that move as others do on average, to lists of these.
    planar, lumped : bool
        As of `Structure`.
    modes, root, interfaces, stations, supports, turning
        As of `from_structure`.
    second_order, damping, rayleigh, strainless, stiffening
        As of `from_structure`.

    Raises
    ------
    ModelError
        Naming the table, the row and the node.
    """

    nodes: Any = unread("m", "places by names, or a CSV file")
    members: Any = unread("", "rows of start, end, section, kind, or a CSV file")
    sections: Any = unread("", "sections by names")
    modes: Any = unread("", "counts of modes by direction")
    root: str | None = unread("", "node at the origin", default=None)
    supports: Any = unread("", "nodes that are held", default=None)
    interfaces: Any = unread("", "nodes of joints", default=())
    stations: Any = unread("", "nodes by which others are attached", default=())
    masses: Any = unread("kg", "rows of node and mass", default=())
    springs: Any = unread("N/m", "rows of start, end, stiffness", default=())
    links: Any = unread("", "rows of rigid links", default=())
    means: Any = unread("", "nodes that are means of others", default=())
    planar: bool = truth("in the x y plane", default=False)
    lumped: bool = truth("masses at nodes", default=False)
    second_order: bool = truth("terms of second order", default=True)
    damping: Any = unread("", "damping ratios", default=0)
    rayleigh: Any = unread("1/s, s", "alpha and beta of alpha M + beta K", default=(0, 0))
    strainless: str = unread("", "what becomes of strainless motions", default="refused")
    stiffening: bool = truth("terms of second order in the displacements", default=False)
    turning: Any = unread("", "rotation of nodes", default=None)

    paths: ClassVar[tuple[str, ...]] = ("nodes", "members")
    _lines: ClassVar[dict[str, list[str]]] = {}

    def __post_init__(self) -> None:
        lines: dict[str, list[str]] = {}
        for name in ("nodes", "members"):
            given = getattr(self, name)
            if isinstance(given, str | Path):
                rows = _read_csv(given, name)
                object.__setattr__(self, name, [row for _, row in rows])
                lines[name] = [place for place, _ in rows]
        for name in self.__dataclass_fields__:
            object.__setattr__(self, name, _fixed(getattr(self, name)))
        object.__setattr__(self, "_lines", lines)
        for name in ("planar", "lumped", "second_order", "stiffening"):
            if not isinstance(getattr(self, name), bool):
                raise ModelError(f"{name} is {getattr(self, name)!r}; give true or false")
        self.modal  # noqa: B018  (raises for what is no structure)

    @cached_property
    def structure(self) -> Structure:
        """The structure as declared."""
        from eomc.derive.finite_elements.section import Section
        from eomc.derive.finite_elements.structure import Structure

        result = Structure(self.planar, self.lumped)
        lines = self._lines
        _each(
            "node",
            self._places(),
            lambda name, *xyz: result.node(str(name), xyz),
            lines.get("nodes"),
        )
        sections = {}
        for name, words in _pairs(self.sections, "sections"):
            with_words = dict(_pairs(words, f"section {name!r}"))
            try:
                sections[str(name)] = Section(**with_words)
            except TypeError as error:
                raise ModelError(f"section {name!r}: {error}") from None
            except ModelError as error:
                raise error.within(f"section {name!r}", None) from None
        _each(
            "member",
            _rows(self.members, "members", _MEMBER),
            _Members(result, sections),
            lines.get("members"),
        )
        _each(
            "mass",
            _rows(self.masses, "masses", ("node", "mass", "inertia")),
            lambda node, *rest: result.mass(str(node), *rest),
        )
        words = ("start", "end", "stiffness", "retardation")
        _each(
            "spring",
            _rows(self.springs, "springs", words),
            lambda start, end, *rest: result.spring(str(start), str(end), *rest),
        )
        _each(
            "link",
            _rows(self.links, "links", ("master", "slave")),
            lambda master, slave: result.rigid_link(str(master), str(slave)),
        )
        _each(
            "mean node",
            _pairs(self.means, "means"),
            lambda name, nodes: result.mean_node(str(name), _names(nodes, f"means of {name!r}")),
        )
        return result

    def _places(self) -> Iterator[tuple[Any, ...]]:
        given = self.nodes
        named = isinstance(given, tuple) and all(
            isinstance(row, tuple) and len(row) == 2 and isinstance(row[1], tuple) for row in given
        )
        if named and not _is_table(given):
            yield from ((name, *place) for name, place in given)
        else:
            yield from _rows(given, "nodes", ("name", "x", "y", "z"))

    @cached_property
    def modal(self) -> ModalBody:
        """The body in its modes."""
        from eomc.derive.finite_elements.modal_reduction import from_structure

        supports, turning = self.supports, self.turning
        if supports is not None:
            pairs = _pairs(supports, "supports")
            supports = {str(node): _support(held) for node, held in pairs}
        if isinstance(turning, tuple):
            turning = {str(node): kind for node, kind in _pairs(turning, "turning")}
        modes = dict(_pairs(self.modes, "modes")) if isinstance(self.modes, tuple) else self.modes
        damping = self.damping
        if isinstance(damping, tuple):
            damping = dict(_pairs(damping, "damping"))
        return from_structure(
            self.structure,
            modes,
            None if self.root is None else str(self.root),
            _names(self.interfaces, "interfaces"),
            _names(self.stations, "stations"),
            self.second_order,
            damping,
            self.rayleigh,
            self.strainless,
            self.stiffening,
            supports,
            turning,
            drawn=True,
        )

    @property
    def coordinates(self) -> tuple[str, ...]:
        """e1, e2, ..."""
        return self.modal.coordinates

    @property
    def slopes(self) -> tuple[tuple[Scalar, ...], ...]:
        """As of the modal body."""
        return self.modal.slopes

    @property
    def stiffens(self) -> bool:
        """As of the modal body."""
        return self.modal.stiffens

    @property
    def outline(self) -> tuple[tuple[Any, Any], ...]:
        """All members."""
        return self.modal.outline

    @property
    def scalars(self) -> tuple[Scalar, ...]:
        """As of the modal body."""
        return self.modal.scalars

    def invariants(self, xi: Symbols) -> Invariants:
        """As of the modal body."""
        return self.modal.invariants(xi)

    def strain_energy(self, xi: Symbols) -> Scalar:
        """As of the modal body."""
        return self.modal.strain_energy(xi)

    def dissipation(self, xi: Symbols, xi_rate: Symbols) -> Scalar:
        """As of the modal body."""
        return self.modal.dissipation(xi, xi_rate)

    def attachment(self, at: Any, xi: Symbols) -> Attachment:
        """As of the modal body."""
        return self.modal.attachment(at, xi)


class _Members:
    """Adds a member to a structure."""

    def __init__(self, structure: Structure, sections: Mapping[str, Any]) -> None:
        self.structure, self.sections = structure, sections

    def __call__(
        self,
        start: Any,
        end: Any,
        section: Any,
        kind: str = "bar",
        elements: Any = 1,
        y_axis: Any = None,
    ) -> None:
        kinds: dict[str, Callable[..., None]] = {
            "bar": self.structure.bar,
            "beam": self.structure.beam,
        }
        if kind not in kinds:
            raise ModelError(f"no kind {kind!r}; {near_names(str(kind), kinds)}")
        if str(section) not in self.sections:
            known = near_names(str(section), self.sections)
            raise ModelError(f"no section {section!r}; {known}")
        more = {} if kind == "bar" else {"elements": elements, "y_axis": y_axis}
        kinds[kind](str(start), str(end), self.sections[str(section)], **more)


def _each(
    what: str, rows: Any, declare: Callable[..., None], lines: Sequence[str] | None = None
) -> None:
    """Declare row by row; errors name the row, and its line of a file."""
    for number, row in enumerate(rows, start=1):
        told = repr(row[0]) if what.endswith("node") else "-".join(map(str, row[:2]))
        told = f"{told}, {lines[number - 1]}" if lines else told
        try:
            declare(*row)
        except ModelError as error:
            raise error.within(f"{what} {number} ({told})", None) from None
        except (TypeError, ValueError) as error:
            raise ModelError(f"{what} {number} ({told}): {str(error)[:200]}") from None


def _is_table(given: tuple[Any, ...]) -> bool:
    """True if rows are tuples of (word, value) pairs, as of mappings."""
    words = ("name", "x", "y", "z")
    return bool(given) and all(
        isinstance(row, tuple)
        and all(isinstance(e, tuple) and len(e) == 2 and e[0] in words for e in row)
        for row in given
    )


def _rows(given: Any, what: str, words: Sequence[str]) -> Iterator[tuple[Any, ...]]:
    """Rows in the order of the words, of mappings or lists."""
    if not isinstance(given, tuple):
        raise ModelError(f"{what}: give a table, a list of rows")
    for number, row in enumerate(given, start=1):
        if not isinstance(row, tuple):
            raise ModelError(f"{what}: row {number} is {row!r}; give {', '.join(words)}")
        pairs = [e for e in row if isinstance(e, tuple) and len(e) == 2 and isinstance(e[0], str)]
        if row and len(pairs) == len(row):
            table = dict(pairs)
            for word in table:
                if word not in words:
                    known = near_names(word, words)
                    raise ModelError(f"{what}: row {number}: no {word!r}; {known}")
            last = max(words.index(word) for word in table)
            yield tuple(
                table[word] if word in table else _default(word, what, number)
                for word in words[: last + 1]
            )
        elif len(row) > len(words):
            raise ModelError(
                f"{what}: row {number} has {len(row)} entries; give {', '.join(words)}"
            )
        else:
            yield row


_DEFAULTS: dict[str, Any] = {"kind": "bar", "elements": 1, "y_axis": None, "inertia": None}


def _default(word: str, what: str, number: int) -> Any:
    if word not in _DEFAULTS:
        raise ModelError(f"{what}: row {number} needs {word}")
    return _DEFAULTS[word]


def _pairs(given: Any, what: str) -> tuple[tuple[Any, Any], ...]:
    if isinstance(given, tuple) and all(isinstance(e, tuple) and len(e) == 2 for e in given):
        return given
    raise ModelError(f"{what}: give a table of names")


def _names(given: Any, what: str) -> list[str]:
    if not isinstance(given, tuple) or not all(isinstance(e, str | int) for e in given):
        raise ModelError(f"{what}: give a list of nodes")
    return [str(name) for name in given]


def _support(held: Any) -> Any:
    """A mapping again, if it was one."""
    if isinstance(held, tuple) and held and all(isinstance(e, tuple) for e in held):
        return dict(_pairs(held, "support"))
    return held


def _fixed(value: Any) -> Any:
    """Lists as tuples, mappings as tuples of pairs."""
    value = value.tolist() if hasattr(value, "tolist") else value
    if isinstance(value, Mapping):
        return tuple((key, _fixed(entry)) for key, entry in value.items())
    return tuple(_fixed(entry) for entry in value) if isinstance(value, list | tuple) else value


def _read_csv(path: str | Path, what: str) -> list[tuple[str, dict[str, Any]]]:
    """Lines of a file, and their rows as mappings; empty entries are left out."""
    try:
        with Path(path).open(newline="", encoding="utf-8") as file:
            reader = csv.DictReader(file, skipinitialspace=True)
            rows = [(reader.line_num, row) for row in reader]
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise ModelError(f"{what}: {path} cannot be read: {error}") from None
    result = []
    for line, row in rows:
        entries = {}
        for word, text in row.items():
            if word is None or text is None:
                raise ModelError(f"{what}: {path}:{line} has not as many entries as its first line")
            if text.strip():
                entries[word.strip()] = _entry(word.strip(), text.strip(), f"{path}:{line}")
        result.append((f"{path}:{line}", entries))
    return result


def _entry(word: str, text: str, place: str) -> Any:
    if word not in _NUMBERS:
        return text
    try:
        return int(text) if word == "elements" else float(text)
    except ValueError:
        raise ModelError(f"{place}: {word} is {text!r}, no number") from None
