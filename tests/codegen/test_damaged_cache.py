"""Whatever happens to builders and to what they left: the next build gives a whole module."""

import os
import random
import signal
import sys
import time
from pathlib import Path

import pytest
from random_seed import SEED
from small_programs.quick_toolchain import QuickToolchain, kill, start

from eomc.codegen import cache as build_cache
from eomc.codegen.build import compiled
from eomc.runtime.errors import LoadError
from eomc.runtime.model.load import load_module


def truncate(path: Path) -> None:
    os.truncate(path, path.stat().st_size // 2)


def change_a_byte(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)


DAMAGES = {
    "truncated": truncate,
    "empty": lambda path: os.truncate(path, 0),
    "gone": Path.unlink,
    "another byte": change_a_byte,
}


@pytest.mark.parametrize("file", ["*.so", "build.json", "pendulum.json"])
@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_entry_is_built_anew(
    tmp_path: Path, quick: QuickToolchain, file: str, damage: str
) -> None:
    folder = quick.build(tmp_path).parent
    (path,) = folder.glob(file)
    DAMAGES[damage](path)
    assert quick.build(tmp_path).read_bytes() == quick.content
    assert os.listdir(tmp_path) == [folder.name]
    assert load_module(quick.build(tmp_path)).neutral() == [0.0]


@pytest.mark.parametrize("record", [b"[]", b'{"files": 3}', b"[" * 100_000, b"\xff", b"{}"])
def test_a_record_of_another_form_is_a_damage(
    tmp_path: Path, quick: QuickToolchain, record: bytes
) -> None:
    path = quick.build(tmp_path)
    (path.parent / "build.json").write_bytes(record)
    assert [entry.name for entry in build_cache.entries(tmp_path)] == ["pendulum"]
    assert quick.build(tmp_path).read_bytes() == quick.content
    (path.parent / "build.json").write_bytes(record)
    assert build_cache.clear(tmp_path) == 1
    assert os.listdir(tmp_path) == []


def test_a_damaged_module_is_not_loaded(tmp_path: Path, quick: QuickToolchain) -> None:
    path = quick.build(tmp_path)
    truncate(path)
    with pytest.raises(LoadError, match="is damaged"):
        load_module(path)
    (path.parent / "build.json").write_text("{")
    with pytest.raises(LoadError, match=r"build\.json is damaged"):
        load_module(path)


def test_links_are_counted_and_cleared_but_not_followed(
    tmp_path: Path, quick: QuickToolchain
) -> None:
    cache, elsewhere = tmp_path / "cache", tmp_path / "elsewhere"
    entry = quick.build(cache).parent
    entry.rename(elsewhere)
    entry.symlink_to(elsewhere)
    (cache / ".building-old").symlink_to(elsewhere)
    assert len(build_cache.entries(cache)) == 1
    assert build_cache.clear(cache) == 1
    assert os.listdir(cache) == [] and len(os.listdir(elsewhere)) > 3
    entry.symlink_to(elsewhere)
    truncate(next(elsewhere.glob("*.so")))
    assert quick.build(cache).read_bytes() == quick.content
    assert not entry.is_symlink() and len(os.listdir(elsewhere)) > 3


def test_clearing_makes_no_build_fail(tmp_path: Path, quick: QuickToolchain) -> None:
    slow = quick.compiler_with("sleep 0.1")

    def build_and_load() -> None:
        with compiled(quick.sources, compiler=slow, cache_dir=tmp_path) as library:
            time.sleep(0.1)
            assert load_module(library).neutral() == [0.0]

    for _ in range(3):
        children = {start(build_and_load), start(build_and_load)}
        while children:
            build_cache.clear(tmp_path)
            child, status = os.waitpid(-1, os.WNOHANG)
            if child:
                children.remove(child)
                assert status == 0
    build_cache.clear(tmp_path)
    assert os.listdir(tmp_path) == []


def test_dead_builders_are_swept_up_by_the_next_and_living_ones_are_not(
    tmp_path: Path, quick: QuickToolchain
) -> None:
    waiting = quick.compiler_with("sleep 3600")  # killed before
    builders = [start(lambda: quick.build(tmp_path, waiting)) for _ in range(2)]
    while len(list(tmp_path.glob(".building-*/build.json"))) < 2:
        time.sleep(0.01)
    kill(builders[0])
    quick.build(tmp_path)
    (left,) = tmp_path.glob(".building-*")
    build_cache.clear(tmp_path)
    assert os.listdir(tmp_path) == [left.name]
    kill(builders[1])
    build_cache.clear(tmp_path)
    assert os.listdir(tmp_path) == []


def test_a_compiler_that_outlives_its_builder_harms_nobody(
    tmp_path: Path, quick: QuickToolchain
) -> None:
    slow = quick.compiler_with("sleep 0.3")
    builder = start(lambda: quick.build(tmp_path, slow))
    while not list(tmp_path.glob(".building-*/work/pendulum_table.c")):
        time.sleep(0.01)
    os.kill(builder, signal.SIGKILL)
    os.waitpid(builder, 0)
    assert quick.build(tmp_path).read_bytes() == quick.content
    clear_when_all_are_dead(tmp_path)


LIFE = 130
"""More files opened, made and renamed, and programs started, than there are in a build."""


def clear_and_build(quick: QuickToolchain, cache: Path, clears: bool, life: int) -> None:
    """Dies after so many of them, with all that it has started."""
    left = life

    def count(event: str, _: object) -> None:
        nonlocal left
        left -= event.partition(".")[0] in ("open", "os", "shutil", "subprocess", "fcntl")
        if left < 0:
            os.killpg(0, signal.SIGKILL)

    sys.addaudithook(count)
    if clears:
        build_cache.clear(cache)
    quick.build(cache)


def clear_when_all_are_dead(cache: Path) -> None:
    """What a builder had started may hold his lock a moment longer than he lived."""
    while os.listdir(cache):
        build_cache.clear(cache)
        time.sleep(0.01)


@pytest.mark.parametrize("kills", [10, pytest.param(100, marks=pytest.mark.slow)])
def test_kills_and_truncations_at_random(tmp_path: Path, quick: QuickToolchain, kills: int) -> None:
    chance = random.Random(SEED)
    moments = set()
    for _ in range(kills):
        clears, life = chance.random() < 0.8, chance.randrange(LIFE)
        builder = start(lambda a=clears, b=life: clear_and_build(quick, tmp_path, a, b))
        os.waitpid(builder, 0)
        moments.add(tuple(sorted(path.name[:9] for path in tmp_path.rglob("*"))))
        for entry in build_cache.entries(tmp_path):
            file = chance.choice(sorted(entry.folder.iterdir()))
            if chance.random() < 0.7:
                os.truncate(file, chance.randrange(file.stat().st_size + 1))
        assert quick.build(tmp_path).read_bytes() == quick.content
    clear_when_all_are_dead(tmp_path)
    assert load_module(quick.build(tmp_path)).neutral() == [0.0]
    assert len(moments) > 1  # that it was killed at different ones
