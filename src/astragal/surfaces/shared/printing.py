"""Printed pages as PDF, set by Typst: sheets in each game's own layout, and the chronicle of an evening.

What people wrote is passed to Typst as data and set as plain text, never as markup. No font is downloaded.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib.resources import files
from pathlib import Path
from tempfile import TemporaryDirectory
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from astragal.surfaces.shared.pictures import file_of, picture_bytes
from astragal.surfaces.shared.sheets import pieces_of, player_of
from astragal.table.authoring.display import Choices, DiceRow, Hand, Piece, Pips, Score, Tags, Track
from astragal.table.refusals import Refusal
from astragal.table.state.pictures import portraits_of
from astragal.wording import capitalised

if TYPE_CHECKING:
    from astragal.surfaces.shared.chronicle import Chronicle
    from astragal.surfaces.shared.context import SeatView
    from astragal.table.state.table import Character

PAGES = "astragal.surfaces.shared"
LONG = 60
"""A single tag that is longer is set as text."""
NO_PICTURES: Mapping[str, bytes] = MappingProxyType({})
OUR_SCRIPTS = 0x0530
"""End of Latin, Greek and Cyrillic: the fonts that Typst brings have every letter below this."""


def sheet_pdf(view: SeatView, character: Character[Any]) -> bytes:
    """Print a character's sheet, as this seat sees it, in the layout of its game."""
    pieces = pieces_of(view, character)
    if pieces is None:
        raise Refusal("Too little is known of them for a sheet.", code="unknown_sheet")
    ruleset = view.ruleset
    portrait = portraits_of(view.state.cast.values())[character.id]
    face = picture_bytes(view, portrait)
    played = f"{ruleset.name}, played by {player_of(view, character)}"
    data = {
        "title": character.name,
        "line": played,
        "footer": f"{view.state.name} · {ruleset.name}",
        "portrait": file_of(portrait) if face else "",
        "pieces": list(_plain(view, pieces)),
    }
    layout = _text(ruleset.sheet_page, "sheet.typ") if ruleset.sheet_page else _text(PAGES, "typst/sheet.typ")
    return typeset(layout, data, {portrait: face} if face else {})


def chronicle_pdf(chronicle: Chronicle) -> bytes:
    """Print the chronicle of an evening, with its pictures."""
    return typeset(_text(PAGES, "typst/chronicle.typ"), chronicle.plain, chronicle.pictures)


def typeset(layout: str, data: Mapping[str, Any], pictures: Mapping[str, bytes] = NO_PICTURES) -> bytes:
    """Typeset a layout with data. If Typst can't read a picture, the page has no pictures at all."""
    import typst

    text = json.dumps(data, ensure_ascii=False)
    source = f"{_text(PAGES, 'typst/base.typ')}\n{layout}".encode()
    is_ours = text.isascii() or all(ord(sign) < OUR_SCRIPTS or 0x2000 <= ord(sign) < 0x2200 for sign in text)
    fonts = _fonts(not is_ours)
    with TemporaryDirectory(prefix="astragal-") as folder:
        for reference, picture in pictures.items():
            file = Path(folder, file_of(reference))
            file.parent.mkdir(exist_ok=True)
            file.write_bytes(picture)
        try:
            return typst.compile(source, root=folder, sys_inputs={"data": text, "pictures": "yes"}, font_paths=fonts)
        except typst.TypstError:
            return typst.compile(source, root=folder, sys_inputs={"data": text, "pictures": ""}, font_paths=fonts)


@cache
def _fonts(also_the_machines: bool) -> Any:
    """Return the fonts that Typst brings, with the system's if a text has letters that those lack."""
    import typst

    return typst.Fonts(include_system_fonts=also_the_machines)


@cache
def _text(package: str, name: str) -> str:
    return files(package).joinpath(name).read_text("utf-8")


def _plain(view: SeatView, pieces: Iterable[Piece]) -> Iterator[dict[str, Any]]:
    """Convert furniture to data for a layout: `name` is the game's own, `label` is in the skin's words."""
    term = view.teller.term
    in_skin = view.in_skin
    for piece in pieces:
        label = in_skin(term(piece.label)).replace("_", " ")
        about: dict[str, Any] = {"name": piece.label, "label": capitalised(label), "doc": ""}
        match piece:
            case Score(_, value, doc):
                yield {**about, "kind": "score", "now": value, "doc": in_skin(doc)}
            case Pips(_, now, most, doc):
                yield {**about, "kind": "pips", "now": now, "most": most, "doc": in_skin(doc)}
            case DiceRow(_, dice, sides, most, doc):
                yield {**about, "kind": "dice", "now": dice, "most": most or dice, "sides": sides, "doc": in_skin(doc)}
            case Track(_, now, steps):
                at = steps[now] if 0 <= now < len(steps) and steps[now] != str(now) else ""
                yield {**about, "kind": "track", "now": now, "most": len(steps) - 1, "at": at}
            case Tags(_, words):
                kind = "text" if len(words) == 1 and len(words[0]) > LONG else "tags"
                yield {**about, "kind": kind, "words": [term(word) for word in words]}
            case Hand(_, terms):
                rows = [(term(name), f"{count:+d}") for name, count in terms]
                yield {**about, "kind": "hand", "now": sum(count for _, count in terms), "rows": rows}
            case Choices(_, rows):
                yield {**about, "kind": "choices", "rows": list(rows)}
