"""A compiled model as it is looked at: pages, pictures, reports, notebooks."""

from __future__ import annotations

import base64
import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from eomc.runtime.model.errors import ViewError

if TYPE_CHECKING:
    from eomc.runtime.page import LiveModel, Page
    from eomc.runtime.report import ReportDocument


class ViewedModel:
    """Of a model, what serves to see it."""

    name: str
    manifest: dict[str, Any]
    frames: tuple[str, ...]
    mesh_folders: tuple[Path, ...]
    _live: Callable[[Sequence[str]], LiveModel] | None
    _modules: list[ModuleType]

    def prepare(self, *names: str) -> None:
        """Compile functions."""
        raise NotImplementedError

    def view(self, path: str | os.PathLike[str] | None = None, **state: Any) -> Page:
        """A page in which the model moves and is pulled at; see `eomc.runtime.model.view.view`.

        Written to `path` if that is given, and shown by Jupyter.
        """
        from eomc.runtime.model.view import view

        return view(self, path, **state)  # type: ignore[arg-type]

    def report(self, path: str | os.PathLike[str] | None = None, **parts: Any) -> ReportDocument:
        """One page of what is known of the model; see `eomc.runtime.model.report.report`.

        Written to `path` if that is given, and shown by Jupyter.
        """
        from eomc.runtime.model.report import report

        return report(self, path, **parts)  # type: ignore[arg-type]

    def live(self, more: Sequence[str] = ()) -> LiveModel:
        """The model in WebAssembly, as pages carry it, with `more` functions of it.

        Raises ViewError if it was not built here.
        """
        if self._live is None:
            raise ViewError(
                f"model {self.name!r} was loaded, not built, and has no code for a page; "
                "build it with eomc.build and view that"
            )
        return self._live(more)

    def picture(self, folders: Sequence[str | os.PathLike[str]] = ()) -> dict[str, Any]:
        """The picture of the model, as plain values for JSON: shapes of bodies, lines, materials,
        meshes; see the page "Pictures" of the documentation.

        `folders` are where files of meshes are looked for first. Raises ValueError for a model
        without bodies; warns of meshes that are not there, which are replaced.
        """
        from eomc.runtime.picture.description import described

        return described(self, folders)

    @property
    def manifests(self) -> tuple[Mapping[str, Any], ...]:
        """Of all modules that are compiled, the first one's first."""
        return tuple(module.manifest for module in self._modules)

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        """For notebooks: what the model consists of, and its picture at the start."""
        from eomc.runtime.model.start_values import start_values
        from eomc.runtime.report.of_model import facts, tree

        picture = b""
        with suppress(ValueError, ImportError, AttributeError):
            from eomc.runtime.report.standing import drawing

            picture = drawing(self, start_values(self), dpi=64.0)  # type: ignore[arg-type]
        data = base64.b64encode(picture).decode("ascii")
        image = f'<img alt="" src="data:image/png;base64,{data}">' if picture else ""
        found = {
            "text/plain": repr(self),
            "text/html": f"<p><b>{_escaped(self.name)}</b>: {_escaped(facts(self.manifest))}</p>"
            f"{image}{tree(self.manifest)}",
        }
        return {**found, "image/png": data} if picture else found


def _escaped(text: str) -> str:
    from html import escape

    return escape(text)
