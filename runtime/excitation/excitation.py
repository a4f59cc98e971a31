"""Excitation of a model: controller torques, declared inputs, prescribed motion, parameters."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import ArrayLike

from eomc.binding.arrays import Array
from eomc.runtime.excitation.external_wrenches import ExternalWrenches, Wrenches
from eomc.runtime.excitation.law_arguments import check_law_arguments
from eomc.runtime.model.compiled import CompiledModel
from eomc.runtime.model.state import State, entries, named_values, vector
from eomc.runtime.names.near_names import near_names, require_known


@runtime_checkable
class Controller(Protocol):
    """A control law: generalized forces (nu,) on the speeds at time t [s] in the state (q, u)."""

    def torque(self, t: float, q: Array, u: Array) -> ArrayLike:
        """tau(t, q, u) [N m or N]."""
        ...


@runtime_checkable
class Clocked(Controller, Protocol):
    """A controller that acts at instants; between them its torques are smooth in time and state.

    Its `torque` answers for all times of the run until now. If torques stay between instants, an
    attribute `holds` that is true lets compiled methods take the run.
    """

    def begin(self, model: CompiledModel, t: float) -> None:
        """Start a run of the plant at time t."""
        ...

    def following(self) -> float:
        """The next instant [s]."""
        ...

    def act(self, t: float, q: Array, u: Array) -> None:
        """Do what is due at time t in the state (q, u)."""
        ...


Law = Callable[[float, Array, Array], ArrayLike]
"""A function of time and state (t, q, u)."""
PrescribedMotion = Callable[[float], tuple[ArrayLike, ArrayLike, ArrayLike]]
"""t -> (s, s', s'')."""
TorqueLaw = Controller | Law | None
InputLaw = Law | Mapping[str, float | Callable[[float, Array, Array], float]] | ArrayLike | None
MotionLaw = PrescribedMotion | Mapping[str, Any] | ArrayLike | None

_MOTION = ("s", "s_rate", "s_acceleration")


class Excitation:
    """All that a model's functions take beyond its state, at any time.

    Arguments as of `simulate`. Raises ValueError that names what has another shape, is not finite,
    or has an unknown name.
    """

    def __init__(
        self,
        model: CompiledModel,
        *,
        controller: TorqueLaw = None,
        tau: Mapping[str, float] | ArrayLike | None = None,
        inputs: InputLaw = None,
        prescribed: MotionLaw = None,
        parameters: Mapping[str, float] | None = None,
        external_wrenches: Wrenches = None,
    ) -> None:
        self.model = model
        self.p = _parameters(model, parameters)
        self._given, self._controller = controller, _torque_law(controller)
        # A law that feeds back states of elements takes them after the speeds.
        self._sees_states = bool(getattr(controller, "element_states", ()))
        self._tau = entries("tau", tau, model.speeds)
        self._inputs = _input_law(model, inputs)
        self._motion = _motion_law(model, prescribed)
        self._wrenches = ExternalWrenches(model, external_wrenches) if external_wrenches else None
        self._calls: dict[str, tuple[Callable[..., Any], tuple[str, ...]]] = {}

    @property
    def is_constant(self) -> bool:
        """True if torques and inputs never change."""
        return self._controller is None and self._wrenches is None and not callable(self._inputs)

    @property
    def is_stepwise(self) -> bool:
        """True if torques and inputs change at the instants of a clocked controller only, or never;
        to be asked once its run has begun."""
        if self._wrenches is not None:
            return False
        holds = isinstance(self._given, Clocked) and getattr(self._given, "holds", False)
        return self.is_constant or (bool(holds) and not callable(self._inputs))

    @property
    def is_at_rest(self) -> bool:
        """True if no prescribed coordinate moves."""
        return self._motion is None or isinstance(self._motion, _PrescribedRest)

    def torque(self, t: float, state: State) -> Array:
        """tau (nu,) at time t."""
        known = self._tau
        if self._wrenches is not None:
            jacobians = {"q": state.q, **self.others(t, state)}
            known = known + self._wrenches.forces(t, state, partial(self.call, values=jacobians))
        if self._controller is None:
            return known
        law = self._controller(t, state.q, state.u, *((state.z,) if self._sees_states else ()))
        return known + vector(
            f"controller: torque at t = {t:.6g} s", law, self.model.nu, self.model.speeds
        )

    def assumed_parameters(self) -> dict[str, float]:
        """Values of tunable parameters by name; none if as declared."""
        if self.p is None:
            return {}
        return dict(zip(self.model.parameters, np.asarray(self.p).tolist(), strict=True))

    def others(self, t: float, state: State) -> dict[str, Any]:
        """Inputs r, time, prescribed motion and states of elements at time t, by argument name.

        Raises ValueError for a state without those of elements, of a model that has them.
        """
        values: dict[str, Any] = {"t": float(t)}
        if names := tuple(self.model.element_states):
            if state.z.shape[-1] != len(names):
                raise ValueError(
                    f"model {self.model.name!r}: elements have states of their own "
                    f"({', '.join(names)}), which are not taken along here"
                )
            values["z"] = state.z
        if self.model.inputs:
            values["r"] = self._input_values(t, state)
        if self._motion is not None:
            given = self._motion(t)
            if not isinstance(given, tuple | list) or len(given) != len(_MOTION):
                raise ValueError(f"motion at t = {t:.6g} s: give (s, s_rate, s_acceleration)")
            size, at = len(self.model.prescribed), f"at t = {t:.6g} s"
            for name, value in zip(_MOTION, given, strict=True):
                values[name] = vector(f"prescribed: {name} {at}", value, size)
        return values

    def _input_values(self, t: float, state: State) -> Array:
        if not callable(self._inputs):
            return self._inputs
        given = self._inputs(t, state.q, state.u)
        return vector(f"inputs at t = {t:.6g} s", given, len(self.model.inputs))

    def call(self, function: str, values: Mapping[str, Any]) -> Any:
        """Evaluate a function of the model, its inputs taken by name from `values`."""
        if function not in self._calls:
            self._calls[function] = self.model.function(function), self.model.inputs_of(function)
        compiled, names = self._calls[function]
        if "multipliers" in names and "multipliers" not in values:
            raise ValueError(
                f"model {self.model.name!r}: {function} depends on the multipliers of its "
                "constraints, as friction of bearings does, and they are not known here; "
                "eomc.runtime.loop_inverse_dynamics finds them with the forces"
            )
        arguments = [values[name] for name in names]
        return compiled(*arguments) if self.p is None else compiled(*arguments, parameters=self.p)


def _torque_law(controller: TorqueLaw) -> Law | None:
    if controller is None:
        return None
    if isinstance(controller, Controller):
        return controller.torque
    if callable(controller):
        check_law_arguments("controller", controller, "t", "q", "u")
        return controller
    raise ValueError(
        "controller: give an object with torque(t, q, u), or a function of (t, q, u); "
        "constant forces are tau"
    )


def _input_law(model: CompiledModel, inputs: Any) -> Law | Array:
    if callable(inputs):
        if not model.inputs:
            raise ValueError(f"inputs: model {model.name!r} declares none")
        check_law_arguments("inputs", inputs, "t", "q", "u")
        law: Law = inputs
        return law
    if not isinstance(inputs, Mapping) or not any(map(callable, inputs.values())):
        return entries("inputs", inputs, model.inputs)
    constants = {name: 0.0 if callable(value) else value for name, value in inputs.items()}
    base = entries("inputs", constants, model.inputs)
    laws = {model.inputs.index(name): law for name, law in inputs.items() if callable(law)}
    for place, law in laws.items():
        check_law_arguments(f"inputs: {model.inputs[place]!r}", law, "t", "q", "u")

    def mixed(t: float, q: Array, u: Array) -> Array:
        values = base.copy()
        for place, law in laws.items():
            values[place] = law(t, q, u)
        return values

    return mixed


class _PrescribedRest:
    """The motion of prescribed coordinates that keep their places s (n,)."""

    def __init__(self, s: Array) -> None:
        self.given = s, np.zeros_like(s), np.zeros_like(s)

    def __call__(self, t: float) -> tuple[Array, Array, Array]:
        return self.given


def _motion_law(model: CompiledModel, motion: Any) -> PrescribedMotion | None:
    names = model.prescribed
    if not names:
        if motion is None:
            return None
        raise ValueError(f"prescribed: model {model.name!r} has no prescribed coordinates")
    if motion is None:
        raise ValueError(
            f"prescribed: give the motion of the prescribed coordinates {', '.join(names)}: "
            "t -> (s, s_rate, s_acceleration)"
        )
    if callable(motion):
        check_law_arguments("prescribed", motion, "t")
        law: PrescribedMotion = motion
        return law
    if not isinstance(motion, Mapping):
        return _PrescribedRest(vector("prescribed", motion, len(names)))
    for name in (*motion, *names):
        if name not in names or name not in motion:
            hint = near_names(str(name), names) if name not in names else "it is missing"
            raise ValueError(f"prescribed: coordinate {name!r}: {hint}")
    if not any(map(callable, motion.values())):
        return _PrescribedRest(named_values("prescribed", names, motion, np.zeros(len(names))))

    held = np.zeros((len(names), 3))
    laws: dict[int, Callable[[float], ArrayLike]] = {}
    for place, name in enumerate(names):
        if callable(given := motion[name]):
            check_law_arguments(f"prescribed motion of {name!r}", given, "t")
            laws[place] = given
        else:
            held[place, 0] = vector(f"prescribed motion of {name!r}", given, 1)[0]

    def mixed(t: float) -> tuple[Array, Array, Array]:
        rows = held.copy()
        for place, law in laws.items():
            rows[place] = vector(
                f"prescribed motion of {names[place]!r} at t = {t:.6g} s", law(t), 3
            )
        s, rate, acceleration = rows.T
        return s, rate, acceleration

    return mixed


def _parameters(model: CompiledModel, parameters: Any) -> Array | None:
    """The functions' `p`: None for the defaults, or all of them with some changed."""
    if parameters is None:
        return None
    if not isinstance(parameters, Mapping):
        kind = type(parameters).__name__
        raise ValueError(f"parameters: give a mapping of names to values, not {kind}")
    if not parameters:
        return None
    lacking = f"parameters: model {model.name!r} has no tunable parameter"
    require_known(parameters, model.parameters, lacking)
    values = {**model.parameters, **parameters}
    return vector("parameters", list(values.values()), len(values))
