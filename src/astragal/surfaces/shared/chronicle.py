"""Chronicle of an evening: its passages, turning points and luck as values, and the same as Markdown."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

from msgspec import Struct, field
from msgspec.structs import asdict

from astragal.surfaces.shared.pictures import file_of
from astragal.table import preview
from astragal.table.authoring.display import Tone
from astragal.table.log.export import escaped


class ToldRoll(Struct, frozen=True, kw_only=True):
    """A roll with its result and, if known, its exact chance and whether the dice alone made it."""

    who: str
    words: str
    outcome: str = ""
    tone: str = ""
    """Tone of the result for the one who rolled."""
    colour: str = ""
    """Tone of the result for the players."""
    chance: Fraction | None = None
    """Chance of success before the dice fell, if nothing is spent."""
    made: bool = False
    """True if the dice alone succeeded."""
    change: int = 0

    @property
    def likelihood(self) -> Fraction:
        """The chance of what the dice did."""
        if self.chance is None:
            return Fraction(1)
        return self.chance if self.made else 1 - self.chance

    @property
    def turned(self) -> bool:
        """True if somebody's spend turned the result."""
        if self.chance is None:
            return False
        opposite = Tone.BAD if self.made else Tone.GOOD
        return self.tone == opposite.value

    @property
    def note(self) -> str:
        """Its odds in words."""
        if self.chance is None:
            return ""
        result = "made" if self.made else "missed"
        odds = f"{result} at {preview.chance_words(self.chance)} ({self.chance})"
        return f"{odds}; then it was turned" if self.turned else odds


class Luck(Struct, frozen=True):
    """Luck of one person: the number of rolls, how many the dice made, and how many were to be expected."""

    who: str
    rolls: int
    made: int
    expected: Fraction
    luckier: Fraction
    """Share of all evenings with these rolls in which fewer are made, plus half of those in which as many are."""

    @property
    def share(self) -> str:
        return f"luckier than {preview.chance_words(self.luckier)} of such evenings"

    @property
    def words(self) -> str:
        return f"{self.made} of {self.rolls} made by the dice, {float(self.expected):.1f} to be expected: {self.share}"


class Passage(Struct, frozen=True, kw_only=True):
    """A part of the chronicle: a scene with its words, words told or spoken, something that was shown, or a roll."""

    kind: str
    title: str = ""
    words: tuple[str, ...] = ()
    note: str = ""
    tone: str = ""
    picture: str = ""
    """Reference to the picture of a scene, of something shown, or of the speaker's face."""
    alt: str = ""


class Hero(Struct, frozen=True):
    """A hero, with the name of the player if there is one."""

    name: str
    player: str
    portrait: str


class Chronicle(Struct, frozen=True, kw_only=True):
    """An evening as one seat may see it."""

    table: str
    game: str
    evening: int
    evenings: tuple[int, ...]
    """Numbers of all evenings so far."""
    passages: tuple[Passage, ...] = ()
    turns: tuple[ToldRoll, ...] = ()
    best: tuple[ToldRoll, ...] = ()
    worst: tuple[ToldRoll, ...] = ()
    luck: tuple[Luck, ...] = ()
    people: tuple[Hero, ...] = ()
    pictures: Mapping[str, bytes] = field(default_factory=dict)
    """Every picture in it that this seat may see, by its reference."""

    @property
    def title(self) -> str:
        return f"{self.table}, evening {self.evening}" if self.evening else self.table

    @property
    def lists(self) -> tuple[tuple[str, tuple[tuple[str, str], ...]], ...]:
        """Lists beside the story: a heading, and lines with a note each."""
        lists: list[tuple[str, tuple[tuple[str, str], ...]]] = []
        for title, rolls in (("Turning points", self.turns), ("Best rolls", self.best), ("Worst rolls", self.worst)):
            if rolls:
                lists.append((title, tuple((roll.words, roll.note) for roll in rolls)))
        if self.luck:
            lists.append(("Who was lucky", tuple((person.who, person.words) for person in self.luck)))
        return tuple(lists)

    @property
    def plain(self) -> dict[str, Any]:
        """As data for a page's layout."""
        people = []
        for hero in self.people:
            people.append({"name": hero.name, "player": hero.player, "picture": file_of(hero.portrait)})
        return {
            "title": self.title,
            "line": self.game,
            "footer": f"{self.table} · {self.game}",
            "people": people,
            "passages": [asdict(passage) | {"picture": file_of(passage.picture)} for passage in self.passages],
            "lists": [{"title": title, "lines": lines} for title, lines in self.lists],
        }

    @property
    def markdown(self) -> str:
        """As Markdown without pictures: alt texts are in their place."""
        return self._in_markdown({})

    @property
    def illustrated(self) -> str:
        """As Markdown with its pictures, each of them once, after the text."""
        name_by_picture: dict[str, str] = {}
        for passage in self.passages:
            if passage.kind != "spoken" and passage.picture:
                name_by_picture.setdefault(passage.picture, f"picture-{len(name_by_picture) + 1}")
        definitions = []
        for picture, name in name_by_picture.items():
            kind = "svg+xml" if "/" in picture else "webp"
            data = b64encode(self.pictures[picture]).decode()
            definitions.append(f"[{name}]: data:image/{kind};base64,{data}")
        return "\n".join([self._in_markdown(name_by_picture), *definitions, ""])

    def _in_markdown(self, name_by_picture: Mapping[str, str]) -> str:
        lines = [f"# {escaped(self.title)}", "", f"*{escaped(self.game)}*", ""]
        for passage in self.passages:
            lines += _marked_down(passage, name_by_picture.get(passage.picture, ""))
            lines.append("")
        for title, entries in self.lists:
            lines += [f"## {title}", ""]
            lines += [f"- {escaped(words)} – {escaped(note)}" for words, note in entries]
            lines.append("")
        return "\n".join(lines)


def _marked_down(passage: Passage, picture_name: str) -> Iterator[str]:
    """Yield a passage as Markdown. Without a name for its picture, the alt text is in its place."""
    title = escaped(passage.title)
    words = "\n\n".join(escaped(paragraph) for paragraph in passage.words)
    match passage.kind:
        case "scene":
            yield _paragraphs(f"## {title}", _picture(passage, picture_name), words)
        case "shown":
            yield _paragraphs(f"**{title}**" if title else "", _picture(passage, picture_name), words)
        case "spoken":
            yield f"**{title}** {words}"
        case "roll" if passage.note:
            yield f"> {words} *{escaped(passage.note)}*"
        case "roll":
            yield f"> {words}"
        case _:
            yield words


def _picture(passage: Passage, picture_name: str) -> str:
    alt = escaped(passage.alt)
    if picture_name:
        return f"![{alt}][{picture_name}]"
    return f"*{alt}*" if alt else ""


def _paragraphs(*paragraphs: str) -> str:
    return "\n\n".join(paragraph for paragraph in paragraphs if paragraph)
