"""The language server, asked by a client; and its answers about texts."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlparse

import pytest

from eomc.cli.editor import definition, faults, hover

TEXT = """version = 2
name = "arm"

[[parameter]]
name = "m"
value = 1.5
units = "kg"
description = "mass of the rod"

[[body]]
name = "rod"
mass = "2*m"
com = [0, 0, -0.5]

[[joint]]
name = "hinge"
kind = "revolute"
parent = "world"
child = "rod"
axis = [0, 1, 0]

[[joint_spring]]
name = "spring"
joint = "hinge"
stiffness = 3
"""
LINES = TEXT.splitlines()


def at(line: str, word: str) -> tuple[int, int]:
    number = LINES.index(line)
    return number, LINES[number].index(word) + 1


@pytest.mark.parametrize(
    ("line", "word", "told"),
    [
        ('mass = "2*m"', "mass", "**mass** [kg]; default 0"),
        ('mass = "2*m"', 'm"', "**parameter m** 1.5 kg mass of the rod"),
        ("stiffness = 3", "stiffness", "**stiffness** [N m/rad or N/m]; default 0"),
        ('child = "rod"', "child", "**child** that moves"),
        ('child = "rod"', "rod", "**body rod** 2*m"),
        ("[[body]]", "body", "**body** A rigid body in its own frame."),
        ("version = 2", "version", "**version**"),
        ("axis = [0, 1, 0]", "1", None),
    ],
)
def test_hover(line: str, word: str, told: str | None) -> None:
    number, column = at(line, word)
    assert hover(TEXT, number, column - (word == 'm"')) == told


def test_definition() -> None:
    for line, word, expected in (
        ('child = "rod"', "rod", 'name = "rod"'),
        ('joint = "hinge"', "hinge", 'name = "hinge"'),
        ('mass = "2*m"', '*m"', 'name = "m"'),
        ('parent = "world"', "world", None),
        ("stiffness = 3", "3", None),
    ):
        found = definition(TEXT, *at(line, word))
        assert (None if found is None else LINES[found]) == expected


def test_faults_stand_at_the_lines_that_info_tells() -> None:
    assert faults(TEXT, "a.toml") == []
    (fault,) = faults(TEXT.replace('child = "rod"', 'child = "rot"'), "a.toml")
    assert LINES[fault.line] == "[[joint]]" and fault.message.startswith("joint 'hinge': unknown")
    (fault,) = faults(TEXT.replace("value = 1.5", "value = = 2"), "a.toml")
    assert LINES[fault.line] == "value = 1.5"


def test_a_client_asks(tmp_path: Path) -> None:
    pytest.importorskip("pygls", reason="the package pygls is not installed")
    pytest.importorskip("lsprotocol", reason="the package pygls is not installed")
    path = tmp_path / "arm.toml"
    assert asyncio.run(asyncio.wait_for(_asked(path), 60)) == (
        "joint 'hinge': unknown child body 'rot'; did you mean 'rod'?",
        "**mass** [kg]; default 0",
        LINES.index('name = "rod"'),
        True,
    )


async def _asked(path: Path) -> tuple[Any, ...]:
    from lsprotocol import types
    from pygls.lsp.client import BaseLanguageClient

    client, uri = BaseLanguageClient("test", "1"), path.as_uri()
    published: asyncio.Future[Any] = asyncio.get_running_loop().create_future()

    @client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
    def keep(parameters: types.PublishDiagnosticsParams) -> None:
        if not published.done():
            published.set_result(parameters.diagnostics)

    await client.start_io(sys.executable, "-m", "eomc", "lsp")
    await client.initialize_async(types.InitializeParams(capabilities=types.ClientCapabilities()))
    client.initialized(types.InitializedParams())
    text = TEXT.replace('child = "rod"', 'child = "rot"')
    document = types.TextDocumentItem(uri, "toml", 1, text)
    client.text_document_did_open(types.DidOpenTextDocumentParams(document))
    (fault,) = await published
    name = types.TextDocumentIdentifier(uri)
    place = types.Position(*at('mass = "2*m"', "mass"))
    shown = await client.text_document_hover_async(types.HoverParams(name, place))
    place = types.Position(*at('name = "rod"', "rod"))
    goal = await client.text_document_definition_async(types.DefinitionParams(name, place))
    change = types.TextDocumentContentChangeWholeDocument(TEXT)
    version = types.VersionedTextDocumentIdentifier(2, uri)
    client.text_document_did_change(types.DidChangeTextDocumentParams(version, [change]))
    asked = types.ExecuteCommandParams("eomc.picture", [uri])
    page = await client.workspace_execute_command_async(asked)
    moves = "hinge" in Path(unquote(urlparse(page).path)).read_text(encoding="utf-8")
    await client.shutdown_async(None)
    client.exit(None)
    return fault.message, shown.contents.value, goal.range.start.line, moves
