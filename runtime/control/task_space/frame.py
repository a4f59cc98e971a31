"""Frames as outputs see them."""

from __future__ import annotations

from eomc.runtime.model.compiled import CompiledModel
from eomc.runtime.model.frame_kinematics import QUESTIONS, function_names


def frame_functions(model: CompiledModel, frame: str) -> dict[str, str]:
    """Names of the model's functions about a frame, by question, compiled if need be.

    Raises UnknownFrameError, a KeyError, for a frame that the model has not.
    """
    model.frame(frame)
    return dict(zip(QUESTIONS, function_names(frame), strict=True))


def chosen(what: str, given: tuple[str, ...], valid: tuple[str, ...]) -> list[int]:
    """Places of the parts of an output that are chosen; ValueError for others, or for none.

    >>> chosen("axes", ("x", "z"), ("x", "y", "z"))
    [0, 2]
    """
    if not given or len(set(given)) < len(given) or not set(given) <= set(valid):
        raise ValueError(f"{what} {given!r}; choose one or more of {', '.join(valid)}")
    return [valid.index(part) for part in given]
