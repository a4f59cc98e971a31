"""The map of the house in the repository is that of the code."""

from pathlib import Path
from runpy import run_path

DOCS = Path(__file__).parents[2] / "docs"


def test_the_map_shows_the_rooms_as_they_are() -> None:
    rooms_map = run_path(str(DOCS / "house_map.py"))["rooms_map"]
    kept = (DOCS / "house_map.txt").read_text(encoding="utf-8")
    assert kept == rooms_map(), "renew it by python docs/house_map.py"
