"""Make and check a release: sdist and wheels in dist/, each wheel tried where it can run.

    python release/release.py            versions agree, sdist and wheels, twine check, trial
    python release/release.py --check    the trial of the wheels that are in dist/

Needs the packages build and twine. Where cibuildwheel and Docker are to be had, wheels are made for
all of this system's Pythons; elsewhere one for this Python. The workflow wheels.yml makes those of
the other systems. A trial installs the wheel into a fresh environment and runs smoke.py there,
without compiler, checkout and network: the packages it needs are fetched before.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
import zipfile
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).parents[1]
DIST = ROOT / "dist"
#: Besides the packages that eomc needs: the compiler of the second part of the trial.
COMPILER = "ziglang"


def main() -> int:
    """Everything, or the trial alone."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="try the wheels that are in dist/")
    if not parser.parse_args().check:
        if found := disagreeing():
            print("versions differ:", *found, sep="\n  ", file=sys.stderr)
            return 1
        build()
    wheels = sorted(DIST.glob("eomc-*.whl"))
    run(sys.executable, "-m", "twine", "check", "--strict", *wheels, *DIST.glob("eomc-*.tar.gz"))
    tried = [wheel for wheel in wheels if runs_here(wheel)]
    for wheel in tried:
        has_binding(wheel)
        trial(wheel)
    for wheel in wheels:
        print(f"{wheel.name}: {'tried' if wheel in tried else 'not tried, for another machine'}")
    return 0 if tried else 1


def version() -> str:
    """The one source of the version."""
    text = (ROOT / "eomc" / "__init__.py").read_text(encoding="utf-8")
    (found,) = re.findall(r'^__version__ = "(.*)"$', text, re.MULTILINE)
    return str(found)


def disagreeing(citation: str | None = None) -> list[str]:
    """Places that have another version."""
    own = version()
    text = citation or (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    published = (ROOT / "published" / "pyproject.toml").read_text(encoding="utf-8")
    project = tomllib.loads(published)["project"]
    given = {
        "CITATION.cff": re.findall(r"^version: (.*)$", text, re.MULTILINE)[0],
        "published/pyproject.toml": project["version"],
        "published/pyproject.toml, dependencies": project["dependencies"][0].partition("==")[2],
    }
    return [f"{place}: {other}, not {own}" for place, other in given.items() if other != own]


def build() -> None:
    """sdist, and wheels from it."""
    shutil.rmtree(DIST, ignore_errors=True)
    run(sys.executable, "-m", "build", "--sdist", "--outdir", DIST, ROOT)
    (sdist,) = DIST.glob("eomc-*.tar.gz")
    if _has_docker():
        run(sys.executable, "-m", "cibuildwheel", "--output-dir", DIST, sdist)
    else:
        run(sys.executable, "-m", "pip", "wheel", "--no-deps", "--wheel-dir", DIST, sdist)


def _has_docker() -> bool:
    """True if cibuildwheel can work here: on macOS and Windows it needs no container."""
    try:
        __import__("cibuildwheel")
    except ImportError:
        return False
    if sys.platform != "linux":
        return True
    done = (
        subprocess.run(["docker", "info"], capture_output=True) if shutil.which("docker") else None
    )
    return done is not None and done.returncode == 0


def runs_here(wheel: Path) -> bool:
    """True if the tags of the wheel are among those of this Python."""
    from packaging.tags import sys_tags
    from packaging.utils import parse_wheel_filename

    return bool(parse_wheel_filename(wheel.name)[3] & set(sys_tags()))


def has_binding(wheel: Path) -> None:
    """Raise SystemExit for a wheel without its extension module, which is built if it can be."""
    with zipfile.ZipFile(wheel) as archive:
        if not any(re.match(r"eomc/_binding\..*(so|pyd)$", name) for name in archive.namelist()):
            raise SystemExit(f"{wheel.name} has no compiled binding")


def trial(wheel: Path) -> None:
    """Install the wheel into a fresh environment, and run the smoke test there twice: without a
    compiler, and with the one that comes as a package."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        store, room = folder / "store", folder / "room"
        room.mkdir()
        run(sys.executable, "-m", "pip", "download", "--quiet", "--dest", store, wheel, COMPILER)
        run(sys.executable, "-m", "venv", folder / "venv")
        python = folder / "venv" / ("Scripts" if os.name == "nt" else "bin") / "python"
        offline = (python, "-m", "pip", "install", "--quiet", "--no-index", "--find-links", store)
        run(*offline, wheel)
        shutil.copy(ROOT / "release" / "smoke.py", room)
        _alone(python, room, "--without-compiler")
        run(*offline, COMPILER)
        _alone(python, room)


def _alone(python: Path, room: Path, *options: str) -> None:
    """Run the smoke test with no program on the path and, on Linux, without network."""
    keep = ("SYSTEMROOT", "TEMP", "TMP", "LANG")
    environment = {word: os.environ[word] for word in keep if word in os.environ}
    environment |= {
        "PATH": str(python.parent),
        "HOME": str(room),
        "EOMC_CACHE_DIR": str(room / "c"),
    }
    command: list[object] = [python, room / "smoke.py", *options]
    unshare = shutil.which("unshare")
    if unshare and subprocess.run([unshare, "-rn", "true"], capture_output=True).returncode == 0:
        command = [unshare, "-rn", *command]
    run(*command, cwd=room, env=environment)


def run(*command: object, cwd: Path = ROOT, env: dict[str, str] | None = None) -> None:
    """Raise SystemExit if the command fails."""
    words: Sequence[str] = [str(word) for word in command]
    done = subprocess.run(words, cwd=cwd, env=env)
    if done.returncode:
        raise SystemExit(f"failed: {' '.join(words)}")


if __name__ == "__main__":
    sys.exit(main())
