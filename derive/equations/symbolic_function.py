"""A derived function written in another package: CasADi, JAX."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from eomc.derive.graph import Argument, Function, Graph, TunableParameter, flops, symbol
from eomc.derive.graph.packages import in_casadi, in_jax


class SymbolicFunction:
    """Outputs of a function as expressions of its inputs.

    What emitted code refuses, such as a mass matrix that is not positive definite, expressions do
    not see: they give what the formulas give. Tunable parameters are a last input ``p``.

    Examples
    --------
    >>> import eomc
    >>> from eomc.derive.model import Model
    >>> model = Model("pendulum", gravity=(0, 0, -9.81))
    >>> model.body("bob", mass=1, com=(0, 0, -0.5))
    >>> model.joint("hinge", "revolute", parent="world", child="bob", axis=(0, 1, 0))
    >>> eomc.equations(model).function("gravity")
    <function gravity(q), 1 operations>

    Attributes
    ----------
    name : str
    inputs, outputs : tuples of Argument
    """

    def __init__(
        self, graph: Graph, function: Function, parameters: tuple[TunableParameter, ...]
    ) -> None:
        self._graph, self._parameters = graph, parameters
        entries = tuple(symbol(graph, p.symbol).node for p in parameters)
        names = tuple(p.name for p in parameters)
        further = (Argument("p", (len(names),), entries, "parameters", "", names),)
        self.name = function.name
        self.inputs = (*function.inputs, *(further if parameters else ()))
        self.outputs = function.outputs

    def __repr__(self) -> str:
        nodes = [node for output in self.outputs for node in output.entries]
        names = ", ".join(x.name for x in self.inputs)
        return f"<function {self.name}({names}), {flops(self._graph, nodes)} operations>"

    def to_casadi(self) -> Any:
        """A CasADi ``Function`` of scalar expressions (SX), with the names of inputs and outputs.

        Called with SX it gives SX expressions, with MX one node of MX, with numbers numbers.
        Raises ImportError without CasADi.
        """
        casadi = _required("casadi", "casadi")
        x = [casadi.SX.sym(a.name, *(*a.shape, 1, 1)[:2]) for a in self.inputs]
        values: dict[int, Any] = {}
        for a, array in zip(self.inputs, x, strict=True):
            by_rows = array.T if len(a.shape) > 1 else array  # CasADi numbers by columns
            pairs = enumerate(a.entries)
            values.update((node, casadi.vec(by_rows)[k]) for k, node in pairs)
        y = []
        for output in self.outputs:
            found = in_casadi(casadi, self._graph, output.entries, values)
            column = casadi.vertcat(*found) if found else casadi.SX(0, 1)
            rows, columns = (*output.shape, 1, 1)[:2]
            y.append(casadi.reshape(column, columns, rows).T)
        names = [[a.name for a in arrays] for arrays in (self.inputs, self.outputs)]
        return casadi.Function(self.name, x, y, *names)

    def to_jax(self) -> Callable[..., Any]:
        """A function of JAX, in ``jax.numpy`` alone, for any device; ``vmap`` makes batches.

        It traces one operation at a time, and XLA compiles for seconds what the C compiler takes
        less for: on the CPU ``compiled.jax(name)`` is much faster. ``p`` may be left out. Raises
        ImportError without JAX.
        """
        jnp = _required("jax.numpy", "jax")
        defaults = [p.default for p in self._parameters]

        def called(*given: Any) -> Any:
            if defaults and len(given) == len(self.inputs) - 1:
                given = (*given, jnp.asarray(defaults))
            values = self._entries(jnp, given)
            y = []
            for output in self.outputs:
                found = in_jax(jnp, self._graph, output.entries, values)
                array = (
                    jnp.stack([jnp.asarray(entry) for entry in found]) if found else jnp.zeros(0)
                )
                y.append(array.reshape(output.shape))
            return y[0] if len(y) == 1 else tuple(y)

        called.__name__ = called.__qualname__ = self.name
        return called

    def _entries(self, jnp: Any, given: tuple[Any, ...]) -> Mapping[int, Any]:
        """Entries of the arguments by their nodes; errors name the argument."""
        if len(given) != len(self.inputs):
            names = ", ".join(a.name for a in self.inputs)
            raise TypeError(f"{self.name} takes ({names}); {len(given)} arguments were given")
        values: dict[int, Any] = {}
        for a, array in zip(self.inputs, map(jnp.asarray, given), strict=True):
            if array.shape != a.shape:
                raise ValueError(
                    f"{a.name} of {self.name}: shape {array.shape}, expected {a.shape}; vmap "
                    "makes batches"
                )
            flat = array.reshape(-1)
            values.update((node, flat[k]) for k, node in enumerate(a.entries))
        return values


def _required(package: str, extra: str) -> Any:
    from importlib import import_module

    try:
        return import_module(package)
    except ImportError as error:
        raise ImportError(f"this needs {package}: pip install 'eomc[{extra}]'") from error
