"""``eomc lsp``: a language server for model files in TOML."""

from __future__ import annotations

from importlib.metadata import version
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

from eomc.cli.errors import CommandError


def lsp() -> None:
    """Serve editors, by the Language Server Protocol on standard input and output.

    It marks errors at their lines, shows meanings and units, and goes to the body, joint or
    parameter of a name. Its command ``eomc.picture`` shows the moving model in a browser.

    \b
    Example:
        eomc lsp
    """
    try:
        from pygls.lsp.server import LanguageServer
    except ImportError as error:
        raise CommandError(
            f"the language server needs the package {error.name}; pip install 'eomc[lsp]'"
        ) from None
    server(LanguageServer).start_io()


def server(made: Any) -> Any:
    """An instance of pygls' server class with the answers of `eomc.cli.editor`."""
    from lsprotocol import types

    from eomc.building import build
    from eomc.cli.editor import definition, faults, hover
    from eomc.derive.formats.toml import parse_toml
    from eomc.derive.language.errors import ModelError

    found = made("eomc", version("eomc"))

    def line_range(line: int) -> Any:
        return types.Range(types.Position(line, 0), types.Position(line + 1, 0))

    def publish(uri: str) -> None:
        document = found.workspace.get_text_document(uri)
        given = [
            types.Diagnostic(
                line_range(fault.line),
                fault.message,
                severity=types.DiagnosticSeverity.Warning
                if fault.is_warning
                else types.DiagnosticSeverity.Error,
                source="eomc",
            )
            for fault in faults(document.source, document.path)
        ]
        found.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, given))

    def check(parameters: Any) -> None:
        publish(parameters.text_document.uri)

    def explain(parameters: types.HoverParams) -> Any:
        document = found.workspace.get_text_document(parameters.text_document.uri)
        place = parameters.position
        told = hover(document.source, place.line, place.character)
        kind = types.MarkupKind.Markdown
        return None if told is None else types.Hover(types.MarkupContent(kind, told))

    def lead(parameters: types.DefinitionParams) -> Any:
        uri, place = parameters.text_document.uri, parameters.position
        document = found.workspace.get_text_document(uri)
        line = definition(document.source, place.line, place.character)
        return None if line is None else types.Location(uri, line_range(line))

    def picture(uri: str) -> str:
        """Write the page of the model and ask the editor to show it."""
        document = found.workspace.get_text_document(uri)
        page = Path(mkdtemp(prefix="eomc_")) / f"{Path(document.path).stem}.html"
        try:
            build(parse_toml(document.source, document.path)).view(page)
        except ModelError as error:
            found.window_show_message(types.ShowMessageParams(types.MessageType.Error, str(error)))
            return ""
        found.window_show_document(types.ShowDocumentParams(page.as_uri(), external=True))
        return page.as_uri()

    found.command("eomc.picture")(picture)
    for word, answer in (
        (types.TEXT_DOCUMENT_DID_OPEN, check),
        (types.TEXT_DOCUMENT_DID_CHANGE, check),
        (types.TEXT_DOCUMENT_DID_SAVE, check),
        (types.TEXT_DOCUMENT_HOVER, explain),
        (types.TEXT_DOCUMENT_DEFINITION, lead),
    ):
        found.feature(word)(answer)
    return found
