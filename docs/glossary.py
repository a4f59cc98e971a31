"""Writes docs/glossary.md from docs/glossary.txt: `python docs/glossary.py`.

A line of the table has a term, its meaning, and its names in Python, on the command line, in TOML,
in C and manifests. Words that need no explanation stand behind it.
"""

from pathlib import Path

PAGE = Path(__file__).with_name("glossary.md")
TABLE, _, PLAIN = PAGE.with_suffix(".txt").read_text(encoding="utf-8").partition("plain words\n")


def rows() -> list[list[str]]:
    """Cells of the table."""
    return [[cell.strip() for cell in line.split("|")] for line in TABLE.splitlines()]


def page() -> str:
    """Text of the page."""
    lines = [
        "# Glossary",
        "",
        "One term stands for one thing everywhere. Compiled functions use the symbols of the last "
        "column.",
        "",
        "| term | meaning | Python | command line | TOML | C and manifest |",
        "|---|---|---|---|---|---|",
    ]
    for term, meaning, *names in rows():
        cells = (" ".join(f"`{name}`" for name in cell.split()) for cell in names)
        lines.append(f"| {term} | {meaning} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
