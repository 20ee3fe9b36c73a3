"""A hero's sheet for a terminal, as Markdown with front matter, and as a page to print."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from html import escape
from typing import TYPE_CHECKING, Any

from astragal.surfaces.cli.output.terminal import Paper
from astragal.surfaces.shared.sheets import GAP, sheet_lines

if TYPE_CHECKING:
    from astragal.surfaces.cli.input.seats import Place
    from astragal.table.state.table import Character

STYLE = (
    "body{font:12pt/1.45 Georgia,serif;max-width:40em;margin:2em auto;padding:0 1em;color:#111;background:#fff}"
    "h1{margin:0}p.game{margin:.2em 0 1.2em;color:#555}ul{list-style:none;padding:0}"
    "li{border-bottom:1px solid #ccc;padding:.35em 0}@page{margin:18mm}"
)


def write_sheet(paper: Paper, place: Place, character: Character[Any]) -> None:
    paper.write(f"{character.name} ({place.ruleset.name})", "bold")
    for line in sheet_lines(place.view, character, paper.width - 2):
        paper.write(f"  {line}")


def as_markdown(place: Place, character: Character[Any]) -> str:
    front = {"name": character.name, "game": place.ruleset.id, "skin": place.look().skin}
    head = [f"{key}: {json.dumps(value, ensure_ascii=False)}" for key, value in front.items() if value]
    lines = [f"- {_escaped(' '.join(line.split()))}" for line in _whole(sheet_lines(place.view, character))]
    return "\n".join(["---", *head, "---", "", f"# {_escaped(character.name)}", "", *lines, ""])


def as_html(place: Place, character: Character[Any]) -> str:
    """One file, nothing fetched: it prints as it is."""
    lines = "\n".join(f"<li>{escape(line)}</li>" for line in _whole(sheet_lines(place.view, character)))
    name = escape(character.name)
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{name}</title>\n'
        f'<meta name="viewport" content="width=device-width"><style>{STYLE}</style></head>\n'
        f'<body><h1>{name}</h1><p class="game">{escape(place.ruleset.name)}</p>\n<ul>\n{lines}\n</ul></body></html>\n'
    )


def _whole(lines: Sequence[str]) -> Iterable[str]:
    """Scores stand side by side for a terminal, and under each other on paper."""
    for line in lines:
        yield from (part.strip() for part in line.split(GAP) if part.strip())


def _escaped(words: str) -> str:
    return "".join(f"\\{sign}" if sign in "\\`*_[]<>#|~!" else sign for sign in words)
