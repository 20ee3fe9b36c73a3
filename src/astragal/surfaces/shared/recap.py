"""Recap of an evening as a seat may see it: scenes and narration with their pictures, turning points, who was lucky.

Luck compares what the dice alone made of each roll, as if nobody had spent anything, with its exact chance. Rolls whose
question a seat may not know are shown without a chance, and don't count.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from msgspec import Struct, field
from msgspec.structs import asdict

from astragal.lab.luck import PersonLuck, judged, luck, successes
from astragal.surfaces.shared.pictures import file_of, picture_bytes
from astragal.surfaces.shared.sheets import named_player, tone_for_players
from astragal.table import preview, refusals
from astragal.table.authoring.display import Tone
from astragal.table.declarations import kind_of_command
from astragal.table.log.export import escaped
from astragal.table.state.pictures import alt_of, plate_for, portraits_of
from astragal.table.state.things import Scene
from astragal.wording import capitalised

if TYPE_CHECKING:
    from astragal.surfaces.shared.context import SeatView
    from astragal.table.visibility.events import SeenEvent

A_PAGE = 200
BEGAN, ROLLED = "evening_began", "rolled"
TOLD = frozenset({"narrated", "note_revealed"})
SPOKEN = frozenset({"said", "emoted"})
CHANGES = frozenset({"lost", "gained"})
GRAVE = frozenset({"fate_recorded", "rewound"})
"""Events that matter more than changes of numbers."""
WEIGHS = 5
"""Points that a grave event counts for."""
UNLIKELY = Fraction(3, 10)
MOST_TURNS, MOST_ROLLS = 6, 3


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
        return Fraction(1) if self.chance is None else self.chance if self.made else 1 - self.chance

    @property
    def turned(self) -> bool:
        """True if somebody's spend turned the result."""
        return self.chance is not None and self.tone == (Tone.BAD if self.made else Tone.GOOD).value

    @property
    def note(self) -> str:
        """Its odds in words."""
        if self.chance is None:
            return ""
        turned = "; then it was turned" if self.turned else ""
        return f"{'made' if self.made else 'missed'} at {preview.chance_words(self.chance)} ({self.chance}){turned}"


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
        rolls = (("Turning points", self.turns), ("Best rolls", self.best), ("Worst rolls", self.worst))
        found = [(title, tuple((one.words, one.note) for one in some)) for title, some in rolls if some]
        lucky = tuple((one.who, one.words) for one in self.luck)
        return (*found, *((("Who was lucky", lucky),) if lucky else ()))

    @property
    def plain(self) -> dict[str, Any]:
        """As data for a page's layout."""
        return {
            "title": self.title,
            "line": self.game,
            "footer": f"{self.table} · {self.game}",
            "people": [
                {"name": one.name, "player": one.player, "picture": file_of(one.portrait)} for one in self.people
            ],
            "passages": [asdict(one) | {"picture": file_of(one.picture)} for one in self.passages],
            "lists": [{"title": title, "lines": lines} for title, lines in self.lists],
        }

    @property
    def markdown(self) -> str:
        """As Markdown without pictures: alt texts are in their place."""
        return self._in_markdown({})

    @property
    def illustrated(self) -> str:
        """As Markdown with its pictures, each of them once, after the text."""
        used = dict.fromkeys(one.picture for one in self.passages if one.kind != "spoken" and one.picture)
        named = {reference: f"picture-{number}" for number, reference in enumerate(used, 1)}
        kinds = {reference: "svg+xml" if "/" in reference else "webp" for reference in named}
        data = {reference: b64encode(self.pictures[reference]).decode() for reference in named}
        ends = [f"[{name}]: data:image/{kinds[one]};base64,{data[one]}" for one, name in named.items()]
        return "\n".join([self._in_markdown(named), *ends, ""])

    def _in_markdown(self, named: Mapping[str, str]) -> str:
        lines = [f"# {escaped(self.title)}", "", f"*{escaped(self.game)}*", ""]
        for one in self.passages:
            lines += [*_marked_down(one, named.get(one.picture, "")), ""]
        for title, some in self.lists:
            lines += [f"## {title}", "", *(f"- {escaped(words)} – {escaped(note)}" for words, note in some), ""]
        return "\n".join(lines)


def _marked_down(passage: Passage, picture: str) -> Iterator[str]:
    words, title = "\n\n".join(map(escaped, passage.words)), escaped(passage.title)
    shows = escaped(passage.alt)
    drawn = f"![{shows}][{picture}]" if picture else f"*{shows}*" if shows else ""
    match passage.kind:
        case "scene":
            yield "\n\n".join(filter(None, [f"## {title}", drawn, words]))
        case "shown":
            yield "\n\n".join(filter(None, [f"**{title}**" if title else "", drawn, words]))
        case "spoken":
            yield f"**{title}** {words}"
        case "roll":
            yield f"> {words}" + (f" *{escaped(passage.note)}*" if passage.note else "")
        case _:
            yield words


# ---------------------------------------------------------------- reading the log


def chronicle_of(view: SeatView, evening: int | None = None) -> Chronicle:
    """Make the chronicle of an evening, by default of the last one."""
    begun = tuple(one.fields["evening"] for one in view.host.told(view.table, view.seat, (BEGAN,)) if not one.abandoned)
    evenings = tuple(dict.fromkeys(begun))
    if evening is not None and evening not in evenings:
        there = f"there were {', '.join(map(str, evenings))}" if evenings else "there was none yet"
        raise refusals.NoSuchThing(f"There was no evening {evening}; {there}.")
    wanted = evening if evening is not None else evenings[-1] if evenings else 0
    events = [one for one in _evening(view, wanted) if not one.abandoned and not one.closed]
    passages, rolls = [], []
    pictures = Illustrations(view)
    by_act: dict[str, list[SeenEvent]] = {}
    for one in events:  # grouped by command, at the place of its last event: others may act while somebody decides
        by_act[one.act] = [*by_act.pop(one.act, ()), one]
    for of_act in by_act.values():
        if roll := _roll(view, of_act):
            rolls.append(roll)
        passages += list(_passages(view, pictures, of_act, roll))
    weighed = [one for one in rolls if one.chance is not None and one.chance not in (0, 1)]
    unlikeliest, turns = sorted(weighed, key=lambda one: one.likelihood), _turns(rolls)

    def chosen(*, made: bool) -> tuple[ToldRoll, ...]:
        """Return the unlikeliest rolls, or none if all of them are listed as turning points."""
        some = tuple(one for one in unlikeliest if one.made is made)[:MOST_ROLLS]
        return some if any(all(one is not turn for turn in turns) for one in some) else ()

    return Chronicle(
        table=view.state.name,
        game=view.ruleset.name,
        evening=wanted,
        evenings=evenings,
        passages=tuple(passages),
        turns=turns,
        best=chosen(made=True),
        worst=chosen(made=False),
        luck=tuple(_lucky(weighed)),
        people=tuple(
            Hero(one.name, named_player(view, one), pictures.face(one.id))
            for one in view.state.characters.values()
            if one.seat
        ),
        pictures=pictures.found,
    )


class Illustrations:
    """Pictures of a chronicle, each read once."""

    def __init__(self, view: SeatView) -> None:
        self._view, self._faces = view, portraits_of(view.state.cast.values())
        self.found: dict[str, bytes] = {}

    def seen(self, reference: str) -> str:
        """Return the reference if this seat may see the picture and it is still there, else ""."""
        if reference and reference not in self.found and (data := picture_bytes(self._view, reference)):
            self.found[reference] = data
        return reference if reference in self.found else ""

    def face(self, who: Any) -> str:
        return self.seen(self._faces.get(who, ""))

    def of_scene(self, told: Mapping[str, Any]) -> tuple[str, str]:
        """Return the picture of a scene as it began, or a plate that fits if that is gone, with its alt text."""
        chosen = self.seen(str(told.get("picture", "")))
        scene = Scene(id="", title=str(told.get("title", "")), hook=str(told.get("hook", "")), picture=chosen)
        return self.shown(plate_for(scene, self._view.state.setting.cover), told.get("alt") if chosen else "")

    def shown(self, reference: Any, alt: Any) -> tuple[str, str]:
        """Return a picture's reference and alt text, both empty if this seat can't see it."""
        found = self.seen(str(reference or ""))
        return found, alt_of(found, str(alt or "")) if found else ""


def _evening(view: SeatView, evening: int) -> Sequence[SeenEvent]:
    """Return the events of an evening, read backwards from the end of the log; all events if no evening has begun."""
    found: list[SeenEvent] = []
    place = ""
    while True:
        page = view.host.latest(view.table, view.seat, before=place, most=A_PAGE)
        found[:0] = page.events
        begins = [n for n, one in enumerate(found) if one.name == BEGAN and one.fields["evening"] == evening]
        place = page.start
        if begins or not place:
            break
    own = found[begins[-1] if begins else 0 :]
    over = (n for n, one in enumerate(own) if one.name == BEGAN and one.fields["evening"] != evening)
    return own[: next(over, len(own))]


def _passages(
    view: SeatView, pictures: Illustrations, of_act: Sequence[SeenEvent], roll: ToldRoll | None
) -> Iterator[Passage]:
    name = view.teller.name
    for one in of_act:
        told = one.fields
        if one.name == "scene_began":
            words = tuple(str(told[part]) for part in ("hook", "action", "consequence") if told.get(part))
            picture, alt = pictures.of_scene(told)
            yield Passage(kind="scene", title=str(told.get("title", "")), words=words, picture=picture, alt=alt)
        elif one.name == "scene_pictured" and told.get("entered"):
            picture, alt = pictures.shown(told.get("picture"), told.get("alt"))
            yield from [Passage(kind="shown", picture=picture, alt=alt)] if picture else []
        elif one.name == "handout_shown":
            handout = told["handout"]
            picture, alt = pictures.shown(handout["picture"], handout["alt"])
            words = (handout["words"],) if handout["words"] else ()
            yield Passage(kind="shown", title=handout["title"], words=words, picture=picture, alt=alt)
        elif one.name in TOLD and told.get("words"):
            yield Passage(kind="told", words=(str(told["words"]),))
        elif one.name in SPOKEN:
            speaker = name(told.get("who") or told.get("seat"))
            face = pictures.face(told.get("who"))
            yield Passage(kind="spoken", title=speaker, words=(str(told.get("words", "")),), picture=face)
        elif one.name == "prompt_answered" and not told["prompt"]["secret"]:
            yield _answer(view, pictures, told["prompt"])
        elif one.name == "option_taken" or (one.in_short and not roll):
            yield Passage(kind="way", words=(capitalised(one.in_short) or one.words,))
    if roll and roll.words:
        yield Passage(kind="roll", words=(roll.words,), note=roll.note, tone=roll.colour)


def _answer(view: SeatView, pictures: Illustrations, prompt: Mapping[str, Any]) -> Passage:
    """Return the answer to a prompt, in its present wording. The game master's answers count as narration."""
    kept = view.state.prompts.get(prompt["id"])
    words = ((kept and kept.told) or str(prompt["answer"]),)
    if prompt["to"] == view.state.game_master:
        return Passage(kind="told", words=words)
    who = prompt["to"]
    return Passage(kind="spoken", title=view.teller.name(who), words=words, picture=pictures.face(who))


# ---------------------------------------------------------------- rolls and their odds


def _roll(view: SeatView, of_act: Sequence[SeenEvent]) -> ToldRoll | None:
    rolled = [one for one in of_act if one.name == ROLLED]
    if not rolled or rolled[0].act in view.state.decisions:
        return None
    command = str(rolled[0].fields.get("command", ""))
    went = next((one for one in of_act if one.went), None)
    told = went or next((one for one in of_act if one.name != ROLLED), None)
    weighed = judged(view.book, rolled)
    change = sum(
        abs(points) for one in of_act if one.name in CHANGES for points in (one.fields.get("points") or {}).values()
    )
    words = told.in_short or told.words if told else command.replace("_", " ")
    who, tone = _who(view, command, of_act), went.went.tone.value if went and went.went else ""
    return ToldRoll(
        who=view.teller.name(who),
        words=capitalised(words),
        outcome=went.went.words if went and went.went else "",
        tone=tone,
        colour=tone_for_players(view, who, tone),
        chance=weighed[0] if weighed else None,
        made=bool(weighed and weighed[1]),
        change=change + WEIGHS * sum(one.name in GRAVE for one in of_act),
    )


def _who(view: SeatView, command: str, of_act: Sequence[SeenEvent]) -> str:
    """Return the id of the character who acted, if an event names one, else of the seat that gave the command."""
    kind = view.book.commands.get(command)
    actor = kind_of_command(kind).actor if kind else None
    named = (one.fields[actor] for one in of_act if actor and isinstance(one.fields.get(actor), str))
    acted = (who for who in named if who in view.state.characters)
    return next(acted, of_act[0].by)


# ---------------------------------------------------------------- what stands out


def _turns(rolls: Sequence[ToldRoll]) -> tuple[ToldRoll, ...]:
    """Return the rolls that were unlikely, that a spend turned, or that changed most, in the order of the evening."""
    unlikely = sorted((one for one in rolls if one.likelihood <= UNLIKELY), key=lambda one: one.likelihood)
    turned = [one for one in rolls if one.turned]
    changed = sorted((one for one in rolls if one.change), key=lambda one: -one.change)
    chosen = [*unlikely[: MOST_TURNS // 2], *changed[: MOST_TURNS // 3], *turned][:MOST_TURNS]
    return tuple(one for one in rolls if any(one is other for other in chosen))


def _lucky(rolls: Sequence[ToldRoll]) -> list[Luck]:
    """Return the luck of everyone who rolled, the luckiest first."""
    by_person: dict[str, list[ToldRoll]] = {}
    for one in rolls:
        by_person.setdefault(one.who, []).append(one)
    found = []
    for who, some in by_person.items():
        chances = [one.chance for one in some if one.chance is not None]
        made = sum(one.made for one in some)
        found.append(Luck(who, len(some), made, sum(chances, Fraction(0)), luckier_than(chances, made)))
    return sorted(found, key=lambda one: -one.luckier)


def luckier_than(chances: Sequence[Fraction], made: int) -> Fraction:
    """Return the exact chance that fewer than `made` of these rolls succeed, plus half the chance of exactly `made`.

    >>> luckier_than([Fraction(1, 2)] * 2, 2)
    Fraction(7, 8)
    """
    spread = successes(chances)
    return spread.chance(lambda number: number < made) + spread.chance(made) / 2


def table_luck(view: SeatView) -> tuple[PersonLuck, ...]:
    """Return the luck of each seat that has rolled, then of all together, without what this seat may not know."""
    told = [event for page in view.pages() for event in page.events]
    return luck(view.book, told, {seat.id: seat.name for seat in view.state.seats.values()})
