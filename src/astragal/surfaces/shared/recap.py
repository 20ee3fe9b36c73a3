"""Recap of an evening as a seat may see it: scenes and narration with their pictures, turning points, who was lucky.

Luck compares what the dice alone made of each roll, as if nobody had spent anything, with its exact chance. Rolls whose
question a seat may not know are shown without a chance, and don't count.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from astragal.lab.luck import PersonLuck, judged, luck, successes
from astragal.surfaces.shared.chronicle import Chronicle, Hero, Luck, Passage, ToldRoll
from astragal.surfaces.shared.pictures import picture_bytes
from astragal.surfaces.shared.sheets import named_player, tone_for_players
from astragal.table import refusals
from astragal.table.declarations import kind_of_command
from astragal.table.state.pictures import alt_of, plate_for, portraits_of
from astragal.table.state.things import Scene
from astragal.wording import capitalised

if TYPE_CHECKING:
    from astragal.surfaces.shared.context import SeatView
    from astragal.table.visibility.events import SeenEvent

A_PAGE = 200
BEGAN = "evening_began"
ROLLED = "rolled"
TOLD = frozenset({"narrated", "note_revealed"})
SPOKEN = frozenset({"said", "emoted"})
CHANGES = frozenset({"lost", "gained"})
GRAVE = frozenset({"fate_recorded", "rewound"})
"""Events that matter more than changes of numbers."""
WEIGHS = 5
"""Points that a grave event counts for."""
UNLIKELY = Fraction(3, 10)
MOST_TURNS = 6
MOST_ROLLS = 3


def chronicle_of(view: SeatView, evening: int | None = None) -> Chronicle:
    """Make the chronicle of an evening, by default of the last one."""
    evenings = _evenings(view)
    number = _chosen_evening(evenings, evening)
    pictures = Illustrations(view)
    passages: list[Passage] = []
    rolls: list[ToldRoll] = []
    for events_of_act in _events_by_act(view, number):
        roll = _roll(view, events_of_act)
        if roll:
            rolls.append(roll)
        passages += _passages(view, pictures, events_of_act, roll)
    heroes = [character for character in view.state.characters.values() if character.seat]
    people = [Hero(hero.name, named_player(view, hero), pictures.face(hero.id)) for hero in heroes]
    turns = _turns(rolls)
    open_rolls = [roll for roll in rolls if roll.chance is not None and roll.chance not in (0, 1)]
    return Chronicle(
        table=view.state.name,
        game=view.ruleset.name,
        evening=number,
        evenings=evenings,
        passages=tuple(passages),
        turns=turns,
        best=_unlikeliest(open_rolls, turns, made=True),
        worst=_unlikeliest(open_rolls, turns, made=False),
        luck=tuple(_lucky(open_rolls)),
        people=tuple(people),
        pictures=pictures.found,
    )


# ---------------------------------------------------------------- reading the log


def _evenings(view: SeatView) -> tuple[int, ...]:
    """Return the numbers of all evenings so far, each once."""
    beginnings = view.host.told(view.table, view.seat, (BEGAN,))
    numbers = [event.fields["evening"] for event in beginnings if not event.abandoned]
    return tuple(dict.fromkeys(numbers))


def _chosen_evening(evenings: Sequence[int], evening: int | None) -> int:
    """Return the number of the evening that is asked for, or of the last one; 0 if none has begun."""
    if evening is None:
        return evenings[-1] if evenings else 0
    if evening not in evenings:
        listed = f"there were {', '.join(map(str, evenings))}" if evenings else "there was none yet"
        raise refusals.NoSuchThing(f"There was no evening {evening}; {listed}.")
    return evening


def _events_by_act(view: SeatView, evening: int) -> list[list[SeenEvent]]:
    """Return an evening's events by command, at the place of its last event: others may act while somebody decides."""
    events_by_act: dict[str, list[SeenEvent]] = {}
    for event in _events_of_evening(view, evening):
        if not event.abandoned and not event.closed:
            earlier = events_by_act.pop(event.act, [])
            events_by_act[event.act] = [*earlier, event]
    return list(events_by_act.values())


def _events_of_evening(view: SeatView, evening: int) -> Sequence[SeenEvent]:
    """Return the events of an evening, read backwards from the end of the log; all events if no evening has begun."""
    events: list[SeenEvent] = []
    place = ""
    while True:
        page = view.host.latest(view.table, view.seat, before=place, most=A_PAGE)
        events[:0] = page.events
        place = page.start
        starts = [index for index, event in enumerate(events) if event.name == BEGAN]
        own_starts = [index for index in starts if events[index].fields["evening"] == evening]
        if own_starts or not place:
            break
    first = own_starts[-1] if own_starts else 0
    for index in starts:
        if index >= first and events[index].fields["evening"] != evening:  # the next evening
            return events[first:index]
    return events[first:]


class Illustrations:
    """Pictures of a chronicle, each read once."""

    def __init__(self, view: SeatView) -> None:
        self._view = view
        self._face_by_character = portraits_of(view.state.cast.values())
        self.found: dict[str, bytes] = {}
        """The pictures that this seat may see, by reference."""

    def seen(self, reference: str) -> str:
        """Return the reference if this seat may see the picture and it is still there, else ""."""
        if not reference:
            return ""
        if reference not in self.found:
            data = picture_bytes(self._view, reference)
            if not data:
                return ""
            self.found[reference] = data
        return reference

    def face(self, who: Any) -> str:
        """Return the reference to a character's portrait, else ""."""
        return self.seen(self._face_by_character.get(who, ""))

    def of_scene(self, fields: Mapping[str, Any]) -> tuple[str, str]:
        """Return the picture of a scene as it began, or a plate that fits if that is gone, with its alt text."""
        picture = self.seen(str(fields.get("picture", "")))
        title = str(fields.get("title", ""))
        hook = str(fields.get("hook", ""))
        plate = plate_for(Scene(id="", title=title, hook=hook, picture=picture), self._view.state.setting.cover)
        return self.shown(plate, fields.get("alt") if picture else "")

    def shown(self, reference: Any, alt: Any) -> tuple[str, str]:
        """Return a picture's reference and alt text, both empty if this seat can't see it."""
        picture = self.seen(str(reference or ""))
        if not picture:
            return "", ""
        return picture, alt_of(picture, str(alt or ""))


# ---------------------------------------------------------------- passages


def _passages(
    view: SeatView, pictures: Illustrations, events_of_act: Sequence[SeenEvent], roll: ToldRoll | None
) -> Iterator[Passage]:
    """Yield the passages that the events of one command make, the roll last."""
    for event in events_of_act:
        fields = event.fields
        if event.name == "scene_began":
            yield _scene(pictures, fields)
        elif event.name == "scene_pictured" and fields.get("entered"):
            picture, alt = pictures.shown(fields.get("picture"), fields.get("alt"))
            if picture:
                yield Passage(kind="shown", picture=picture, alt=alt)
        elif event.name == "handout_shown":
            yield _handout(pictures, fields["handout"])
        elif event.name in TOLD and fields.get("words"):
            yield Passage(kind="told", words=(str(fields["words"]),))
        elif event.name in SPOKEN:
            yield _speech(view, pictures, fields)
        elif event.name == "prompt_answered" and not fields["prompt"]["secret"]:
            yield _answer(view, pictures, fields["prompt"])
        elif event.name == "option_taken" or (event.in_short and not roll):
            yield Passage(kind="way", words=(capitalised(event.in_short) or event.words,))
    if roll and roll.words:
        yield Passage(kind="roll", words=(roll.words,), note=roll.note, tone=roll.colour)


def _scene(pictures: Illustrations, fields: Mapping[str, Any]) -> Passage:
    """Return a scene as it began, with what was written of it."""
    words = tuple(str(fields[part]) for part in ("hook", "action", "consequence") if fields.get(part))
    picture, alt = pictures.of_scene(fields)
    return Passage(kind="scene", title=str(fields.get("title", "")), words=words, picture=picture, alt=alt)


def _handout(pictures: Illustrations, handout: Mapping[str, Any]) -> Passage:
    """Return something that the game master showed, with its picture if this seat may see it."""
    words = (handout["words"],) if handout["words"] else ()
    picture, alt = pictures.shown(handout["picture"], handout["alt"])
    return Passage(kind="shown", title=handout["title"], words=words, picture=picture, alt=alt)


def _speech(view: SeatView, pictures: Illustrations, fields: Mapping[str, Any]) -> Passage:
    """Return what a character or a seat said or did."""
    speaker = view.teller.name(fields.get("who") or fields.get("seat"))
    words = (str(fields.get("words", "")),)
    return Passage(kind="spoken", title=speaker, words=words, picture=pictures.face(fields.get("who")))


def _answer(view: SeatView, pictures: Illustrations, prompt: Mapping[str, Any]) -> Passage:
    """Return the answer to a prompt, in its present wording. The game master's answers count as narration."""
    current_prompt = view.state.prompts.get(prompt["id"])
    wording = current_prompt.told if current_prompt else ""
    words = (wording or str(prompt["answer"]),)
    who = prompt["to"]
    if who == view.state.game_master:
        return Passage(kind="told", words=words)
    return Passage(kind="spoken", title=view.teller.name(who), words=words, picture=pictures.face(who))


# ---------------------------------------------------------------- rolls and their odds


def _roll(view: SeatView, events_of_act: Sequence[SeenEvent]) -> ToldRoll | None:
    """Return the roll that a command made; None if it made none, or one that is not decided yet."""
    rolled = [event for event in events_of_act if event.name == ROLLED]
    if not rolled or rolled[0].act in view.state.decisions:
        return None
    command = str(rolled[0].fields.get("command", ""))
    result = next((event for event in events_of_act if event.went), None)
    headline = result or next((event for event in events_of_act if event.name != ROLLED), None)
    words = command.replace("_", " ")
    if headline:
        words = headline.in_short or headline.words
    outcome = ""
    tone = ""
    if result and result.went:
        outcome = result.went.words
        tone = result.went.tone.value
    verdict = judged(view.book, rolled)
    who = _who(view, command, events_of_act)
    return ToldRoll(
        who=view.teller.name(who),
        words=capitalised(words),
        outcome=outcome,
        tone=tone,
        colour=tone_for_players(view, who, tone),
        chance=verdict[0] if verdict else None,
        made=bool(verdict and verdict[1]),
        change=_weight_of_changes(events_of_act),
    )


def _weight_of_changes(events: Sequence[SeenEvent]) -> int:
    """Return how much these events changed: points lost and gained, and more for what is grave."""
    weight = 0
    for event in events:
        if event.name in CHANGES:
            points = event.fields.get("points") or {}
            weight += sum(abs(number) for number in points.values())
        if event.name in GRAVE:
            weight += WEIGHS
    return weight


def _who(view: SeatView, command: str, events_of_act: Sequence[SeenEvent]) -> str:
    """Return the id of the character who acted, if an event names one, else of the seat that gave the command."""
    kind = view.book.commands.get(command)
    actor = kind_of_command(kind).actor if kind else None
    if actor:
        for event in events_of_act:
            character = event.fields.get(actor)
            if isinstance(character, str) and character in view.state.characters:
                return character
    return events_of_act[0].by


# ---------------------------------------------------------------- what stands out


def _turns(rolls: Sequence[ToldRoll]) -> tuple[ToldRoll, ...]:
    """Return the rolls that were unlikely, that a spend turned, or that changed most, in the order of the evening."""
    unlikely = sorted((roll for roll in rolls if roll.likelihood <= UNLIKELY), key=_likelihood)
    turned = [roll for roll in rolls if roll.turned]
    changed = sorted((roll for roll in rolls if roll.change), key=lambda roll: -roll.change)
    turns = [*unlikely[: MOST_TURNS // 2], *changed[: MOST_TURNS // 3], *turned][:MOST_TURNS]
    return tuple(roll for roll in rolls if _is_among(roll, turns))


def _unlikeliest(rolls: Sequence[ToldRoll], turns: Sequence[ToldRoll], *, made: bool) -> tuple[ToldRoll, ...]:
    """Return the unlikeliest rolls, made or missed; or none if all of them are listed as turning points."""
    unlikeliest = sorted((roll for roll in rolls if roll.made is made), key=_likelihood)[:MOST_ROLLS]
    if all(_is_among(roll, turns) for roll in unlikeliest):
        return ()
    return tuple(unlikeliest)


def _likelihood(roll: ToldRoll) -> Fraction:
    return roll.likelihood


def _is_among(roll: ToldRoll, rolls: Sequence[ToldRoll]) -> bool:
    """Return whether this very roll is among them: two rolls may be equal."""
    return any(roll is listed for listed in rolls)


def _lucky(rolls: Sequence[ToldRoll]) -> list[Luck]:
    """Return the luck of everyone who rolled, the luckiest first."""
    rolls_by_person: dict[str, list[ToldRoll]] = {}
    for roll in rolls:
        rolls_by_person.setdefault(roll.who, []).append(roll)
    lucks = []
    for who, own_rolls in rolls_by_person.items():
        chances = [roll.chance for roll in own_rolls if roll.chance is not None]
        successes_made = sum(roll.made for roll in own_rolls)
        expected = sum(chances, Fraction(0))
        lucks.append(Luck(who, len(own_rolls), successes_made, expected, luckier_than(chances, successes_made)))
    return sorted(lucks, key=lambda person: -person.luckier)


def luckier_than(chances: Sequence[Fraction], made: int) -> Fraction:
    """Return the exact chance that fewer than `made` of these rolls succeed, plus half the chance of exactly `made`.

    >>> luckier_than([Fraction(1, 2)] * 2, 2)
    Fraction(7, 8)
    """
    successes_odds = successes(chances)
    return successes_odds.chance(lambda number: number < made) + successes_odds.chance(made) / 2


def table_luck(view: SeatView) -> tuple[PersonLuck, ...]:
    """Return the luck of each seat that has rolled, then of all together, without what this seat may not know."""
    events: list[SeenEvent] = []
    for page in view.pages():
        events += page.events
    return luck(view.book, events, {seat.id: seat.name for seat in view.state.seats.values()})
