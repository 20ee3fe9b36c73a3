"""Cards of the log: one for each command, and one for a roll from its request to its end.

A card is a value made of what one seat sees. Seats that see the same get equal cards, which are rendered once.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import Enum
from itertools import groupby
from typing import Any

import msgspec
from msgspec import Struct

from astragal.surfaces.shared.explained import Explained, explained
from astragal.surfaces.shared.sheets import tone_for_players
from astragal.surfaces.web.session import SeatSession
from astragal.surfaces.web.story import rolls, threads
from astragal.surfaces.web.table.pictures import Face, Shown, faces_of, picture_of, picture_of_scene
from astragal.table.authoring.display import RollCard, Tone
from astragal.table.authoring.sentences import Sentences
from astragal.table.declarations import kind_of_command, replace
from astragal.table.fields.definitions import people_named_by
from astragal.table.state.things import Scene
from astragal.table.visibility.events import SeenEvent
from astragal.wording import capitalised, in_words

UNFOLDED = 3
"""Number of the newest rolls that are unfolded; the others are a line each."""
BRIEF = 48
"""Maximum number of characters that the line of a folded card quotes from it."""


class Kind(Enum):
    """Kind of a card: it decides the look, and the log can be filtered by it."""

    ROLL = "roll"
    TALK = "talk"
    STORY = "story"
    SAFETY = "safety"
    TABLE = "table"


TALK = frozenset({"said", "whispered", "emoted"})
SAFETY = frozenset({"boundary_agreed", "boundary_lifted", "scene_stopped", "ready_to_go_on", "scene_resumed"})
STORY = frozenset({"narrated", "scene_began", "option_offered", "option_opened", "option_taken", "scene_ended"})
STORY |= {"evening_began", "evening_ended", "encounter_began", "encounter_ended", "day_passed", "rewound"}
STORY |= {"note_revealed", "fate_recorded", "clock_fired", "handout_shown"}
REWOUND, OVERRIDDEN, DECIDED = "rewound", "overridden", "decided"
ASIDE = {REWOUND: "rewind", OVERRIDDEN: "override"}
NOTED = "note_written"
SHOWN, PICTURED = "handout_shown", "scene_pictured"
CHANGES = frozenset({"lost", "gained"})
CONSENT_EVENTS = frozenset({"consent_given", "done_on_ai_word"})
"""Events that say on whose word a command was given. They stay when it is undone."""
WITHOUT_LINE = frozenset(
    {threads.ROLLED, threads.REVEALED, threads.MET, "answer_sealed", "narrated", "scene_began", "option_offered", SHOWN}
)
"""Events whose words get no line, since their card shows them in other ways."""


class Change(Struct, frozen=True):
    """A changed value, for a chip: whose, which, and from what to what."""

    words: str
    step: str = ""
    tone: str = ""


class Talk(Struct, frozen=True):
    """Something said: by whom, to whom, how."""

    how: str
    speaker: str
    words: str
    to: str = ""
    in_character: bool = False
    face: Face | None = None
    """The face of a character who speaks."""


class Told(Struct, frozen=True):
    """A passage of the story: a title, text in Markdown, ways on."""

    scene: str = ""
    """The id of a scene that begins."""
    title: str = ""
    passages: tuple[str, ...] = ()
    options: tuple[tuple[str, bool], ...] = ()
    """Each with whether it is risky."""
    picture: Shown | None = None
    reveals: bool = False
    """True for a handout that is shown: it takes over the screen."""


class Member(Struct, frozen=True):
    """One of several who were asked for the same roll: the die and the outcome."""

    who: Face
    die: rolls.DieShown | None = None
    outcome: str = ""
    tone: str = ""


class Card(msgspec.Struct, frozen=True):
    """One command, or one roll, as a seat sees it."""

    table: str
    key: str
    act: str
    at: int
    kind: Kind
    acts: tuple[str, ...] = ()
    """All commands that the card is made of."""
    by: str = ""
    """The name of the seat that did it."""
    ai: bool = False
    """True if that seat is a program's."""
    seat: str = ""
    who: str = ""
    """The character that acted."""
    title: str = ""
    notes: tuple[str, ...] = ()
    people: tuple[Face, ...] = ()
    stakes: str = ""
    """Purpose that a roll was asked for, unless its title or notes say it."""
    throws: tuple[rolls.Throw, ...] = ()
    members: tuple[Member, ...] = ()
    outcome: str = ""
    tone: str = ""
    lines: tuple[str, ...] = ()
    """Further sentences."""
    note: str = ""
    """The text of a note that was written: the card's line unfolds it."""
    changes: tuple[Change, ...] = ()
    talk: Talk | None = None
    told: Told | None = None
    account: str = ""
    """The roll in a sentence, number by number."""
    why: Explained | None = None
    closed: bool = False
    covered: bool = False
    """True if players see less of it than the game master, who can reveal it."""
    hidden: bool = False
    """True if the whole roll is hidden from them."""
    revealed: bool = False
    """True if it was hidden once."""
    abandoned: bool = False
    rewinds: bool = False
    aside: str = ""
    """Set if the rules were set aside for all to see: `rewind`, `undo`, or `override` for a number set by hand."""
    turned: bool = False
    """True if more came of a loss or a gain: someone is down, or up again."""

    @property
    def id(self) -> str:
        return f"card-{self.key}"

    @property
    def dice(self) -> tuple[rolls.DieShown, ...]:
        return tuple(die for throw in self.throws for die in throw.dice)

    @property
    def headline(self) -> str:
        """The outcome in the few words that are set large."""
        return capitalised(self.outcome.partition(", ")[0])

    @property
    def margin(self) -> str:
        return self.outcome.partition(", ")[2]

    @property
    def is_minor(self) -> bool:
        """True for bookkeeping, which is folded together with the minor cards beside it."""
        is_more = self.told or self.note or self.closed or self.covered or self.aside or self.turned
        return self.kind is Kind.TABLE and not is_more

    @property
    def brief(self) -> str:
        """Its first words, for the line that it is folded into."""
        words = self.lines[0] if self.lines else self.kind.value
        short = words if len(words) <= BRIEF else f"{words[:BRIEF].rsplit(' ', 1)[0]} …"
        return f"{short} (undone)" if self.abandoned else short

    @property
    def face(self) -> rolls.DieShown | None:
        """The die that stands for the whole roll in a line."""
        return next((die for die in self.dice if die.fate not in ("dropped", "rerolled")), None)


class Folded(Struct, frozen=True):
    """Consecutive cards of bookkeeping, folded into a line that says what is in it."""

    cards: tuple[Card, ...]


def folded(cards: Iterable[Card]) -> list[Card | Folded]:
    """Return the cards, with each run of two or more cards of bookkeeping folded."""
    found: list[Card | Folded] = []
    for is_minor, run in groupby(cards, key=lambda card: card.is_minor):
        some = tuple(run)
        found += [Folded(some)] if is_minor and len(some) > 1 else some
    return found


def cards_of(session: SeatSession, events: Sequence[SeenEvent]) -> list[Card]:
    """Return the cards that these events belong to, oldest first, without rolls that are still open."""
    return [make_card(session, thread) for thread in threads.threads_of(session, events)]


def make_card(session: SeatSession, thread: threads.Thread) -> Card:
    events = thread.events
    rolled = [event for event in events if event.name == threads.ROLLED]
    first, main = events[0], (rolled or events)[0]
    bare = Card(
        table=session.table,
        key=thread.key,
        act=main.act,
        at=max((event.at for event in events if event.name not in threads.LATER), default=main.at),
        kind=_kind(events),
        acts=tuple(dict.fromkeys(event.act for event in events)),
        seat=main.by,
        by=session.teller.name(main.by) if main.by else "",
        ai=main.by in session.state.seats and session.state.seats[main.by].ai,
        abandoned=all(event.abandoned for event in events if event.name not in CONSENT_EVENTS),
    )
    if main.closed:
        return replace(bare, closed=True, lines=(main.words,))
    if talk := _talk(session, first):
        return replace(bare, talk=talk, lines=_lines(events[1:]))
    aside = next((ASIDE[one.name] for one in events if one.name in ASIDE), "")
    told = replace(
        bare,
        told=_told(session, events),
        covered=any(event.covered for event in events),
        hidden=any(event.covered and event.out_of_sight for event in events),
        revealed=any(event.name == threads.REVEALED for event in events),
        rewinds=any(event.name == REWOUND for event in events),
        aside="undo" if any(one.name == REWOUND and one.fields.get("undo") for one in events) else aside,
    )
    if bare.kind is Kind.ROLL:
        return _roll(session, told, [event for event in events if event.name not in threads.TELLING])
    notes = (event.fields["note"].get("words") for event in events if event.name == NOTED)
    note, lines = next((one for one in notes if isinstance(one, str)), ""), _lines(events)
    turned = len(lines) > 1 and any(event.name in CHANGES for event in events)
    return replace(told, lines=lines, note=note, turned=turned)


def unfolded(cards: Iterable[Card]) -> frozenset[str]:
    """Keys of the newest rolls, which are unfolded."""
    return frozenset([card.key for card in cards if card.kind is Kind.ROLL][-UNFOLDED:])


# ---------------------------------------------------------------- rolls


def _roll(session: SeatSession, card: Card, events: Sequence[SeenEvent]) -> Card:
    asked = [event for event in events if event.name == threads.ASKED]
    acts = {event.act for event in events if event.act not in {one.act for one in asked}} or {events[0].act}
    goings = [event for event in events if event.went]
    own = [next(of_deed) for _, of_deed in groupby(goings, lambda event: event.act)] if len(asked) > 1 else []
    went = next((event for event in goings if event not in own), None)
    rolled = [event for event in events if event.name == threads.ROLLED]
    command = rolled[0].fields.get("command", "") if rolled else asked[0].fields["request"]["command"] if asked else ""
    shape = rolls.card_named(session.book, command)
    known: dict[str, Any] = {}
    for event in events:  # what the seat knows of the roll: fields of the request, then of the later events
        known = rolls.known_in({name: value for name, value in event.fields.items() if name != "question"}) | known
    parts = {
        field: next((event.fields[part] for event in events if event.fields.get(part) is not None), None)
        for field, part in shape.sides
    }
    named = {field: roll["who"] for field, roll in parts.items() if isinstance(roll, Mapping) and "who" in roll}
    known = _with_names_for_the_gone(session, command, named | known)
    said = Sentences(shape, known, session.state, session.teller)
    people = rolls.faces_in(said, session.state)
    notes = [*said.notes, *([f"asked by {session.teller.name(asked[0].by)}"] if asked and rolled else [])]
    what_for = str(known.get("what_for") or known.get("stakes") or "")
    further = [event for event in events if event.act in acts and event is not went and event not in own]
    changes = tuple(change for event in events if event.name in CHANGES for change in _changes(session, event))
    # An answer shows in what it changed, unless it was given for someone else.
    further = [one for one in further if one.name != DECIDED or not changes or one.fields.get("for_seat")]
    told = replace(
        card,
        who=people[0].name if people else "",
        title=capitalised(said.title),
        notes=tuple(notes),
        people=people,
        stakes="" if what_for in said.title or what_for in " ".join(notes) else what_for,
        outcome=went.went.words if went and went.went else "",
        tone=tone_for_players(session, next(iter(said.people), None), went.went.tone.value)
        if went and went.went
        else "",
        account=capitalised(went.words) if went else "",
        lines=_lines(event for event in further if event.name not in threads.WAITING | CHANGES | {threads.PUT}),
        changes=changes,
    )
    if len(asked) > 1:
        members = members_of(session, card.key)
        made = sum(one.tone == Tone.GOOD.value for one in members)
        return replace(
            told,
            title=title_for_all(shape, known, session, command),
            notes=(f"asked by {session.teller.name(asked[0].by)}",),
            people=(),
            members=members,
            outcome=told.outcome or f"{made} of {len(members)} made it",
        )
    sides = [(_name(session, known.get(field)), part) for field, part in parts.items()]
    dice = [die for event in rolled for die in event.fields.get("dice", ())]
    why = explained(session.book, session.teller, rolled[0].fields.get("question", {})) if rolled else None
    throws = rolls.thrown(dice, shape, [one for one in sides if one[0]])
    if len(throws) > 1:
        by_name = {name: rolls.known_in(roll) if isinstance(roll, Mapping) else {} for name, roll in sides}
        of_side = {who: Sentences(shape, roll, session.state, session.teller) for who, roll in by_name.items()}
        throws = tuple(replace(one, note=of_side[one.who].filled(shape.side)) for one in throws)
    return replace(told, throws=throws, why=why)


def title_for_all(shape: RollCard, known: Mapping[str, Any], session: SeatSession, command: str) -> str:
    """Return the title of a roll that several characters are asked for."""
    actor = kind_of_command(session.book.command(command)).actor or ""
    return in_words(Sentences(shape, {**known, actor: "everybody"}, session.state, session.teller).title)


def _with_names_for_the_gone(session: SeatSession, command: str, known: Mapping[str, Any]) -> dict[str, Any]:
    """Replace ids of people whose entrance was undone since by names: an id is nothing to read."""
    kind, here = session.book.commands.get(command), {*session.state.cast, *session.state.seats}
    gone = [one for one in (people_named_by(kind) if kind else ()) if one in known and known[one] not in here]
    return {**known, **{one: session.teller.name(known[one]) for one in gone}}


def _name(session: SeatSession, who: Any) -> str:
    return session.teller.name(who) if who is not None else ""


def members_of(session: SeatSession, key: str) -> tuple[Member, ...]:
    """Return those who have rolled already, of several who were asked for the same roll."""
    found, faces = [], faces_of(session.state)
    told = (one for one in threads.whole_thread(session, key) if one.name != threads.ASKED)
    for of_act in [list(some) for _, some in groupby(told, lambda one: one.act)]:
        rolled = [one for one in of_act if one.name == threads.ROLLED]
        if rolled:
            met = next((one.fields["request"]["who"] for one in of_act if one.name == threads.MET), None)
            went = next((event.went for event in of_act if event.went), None)
            kept = (die for event in rolled for die in event.fields.get("dice", ()) if die["fate"] == "kept")
            die = next((rolls.DieShown(die["sides"], die["face"], die["fate"]) for die in kept), None)
            face = faces.get(str(met), Face("", ""))
            found.append(Member(face, die, went.words if went else "", went.tone.value if went else ""))
    return tuple(found)


def _changes(session: SeatSession, event: SeenEvent) -> Iterator[Change]:
    """Yield each meter with its value before and after; if that is not known, the words of the event."""
    who = event.fields.get("who")
    points, now = (event.fields.get(name) or {} for name in ("points", "now"))
    whose = f"{_name(session, who)}: " if who else ""
    known = [name for name in points if name in now]
    if not known:
        yield Change(capitalised(event.words))
    for name in known:
        sign = 1 if event.name == "lost" else -1
        tone = tone_for_players(session, who, "good" if sign < 0 else "bad")
        label = in_words(session.teller.term(name))
        yield Change(f"{whose}{label}", f"{now[name] + sign * points[name]} → {now[name]}", tone)


# ---------------------------------------------------------------- what every card has


def _kind(events: Iterable[SeenEvent]) -> Kind:
    names = {event.name for event in events}
    if names & TALK:
        return Kind.TALK
    if threads.ROLLED in names or any(event.went for event in events):
        return Kind.ROLL
    if threads.ANSWERED in names:
        return Kind.TALK
    if names & SAFETY:
        return Kind.SAFETY
    pictured = any(event.name == PICTURED and event.fields.get("entered") for event in events)
    return Kind.STORY if names & STORY or pictured or any(event.in_short for event in events) else Kind.TABLE


def _lines(events: Iterable[SeenEvent]) -> tuple[str, ...]:
    return tuple(capitalised(event.words) for event in events if event.name not in WITHOUT_LINE)


# ---------------------------------------------------------------- talk and story


def _talk(session: SeatSession, event: SeenEvent) -> Talk | None:
    name, fields, who = session.teller.name, event.fields, event.fields.get("who")
    if event.name == threads.ANSWERED:
        who = str(fields["prompt"]["to"])
        words = event.words.removeprefix(f"{name(who)}: ")
        return Talk("say", name(who), words, face=faces_of(session.state).get(who))
    if event.name not in TALK:
        return None
    words = str(fields.get("words", ""))
    if event.name == "whispered":
        return Talk("whisper", name(fields.get("seat")), words, ", ".join(map(name, fields.get("to", ()))))
    face = faces_of(session.state).get(str(who)) if who else None
    if event.name == "emoted":
        return Talk("emote", name(who), words, face=face)
    return Talk("say", name(who or fields.get("seat")), words, in_character=bool(who), face=face)


def _told(session: SeatSession, events: Iterable[SeenEvent]) -> Told | None:
    scene, title, passages, options, picture, reveals = "", "", [], [], None, False
    for event in events:
        fields: Mapping[str, Any] = event.fields
        if event.name == "narrated":
            passages.append(str(fields.get("words", "")))
        elif event.name == threads.ANSWERED:
            passages.append(str(fields["prompt"]["answer"]))
        elif event.name == "scene_began":
            scene, title = str(fields.get("scene", "")), str(fields.get("title", ""))
            passages += [str(fields[part]) for part in ("hook", "action", "consequence") if fields.get(part)]
            drawn = Scene(id="", title=title, hook=str(fields.get("hook", "")))
            picture = _picture(session, fields) or picture_of_scene(session.state, drawn)
        elif event.name == PICTURED and fields.get("entered"):
            picture = _picture(session, fields)
        elif event.name == SHOWN:
            handout = fields["handout"]
            title, reveals = handout["title"], True
            passages += [handout["words"]] if handout["words"] else []
            picture = _picture(session, handout)
        elif event.name == "option_offered":
            options.append((str(fields.get("words", "")), fields.get("way") == "risky"))
    told = Told(scene, title, tuple(passages), tuple(options), picture, reveals)
    return told if title or passages or picture else None


def _picture(session: SeatSession, named: Mapping[str, Any]) -> Shown | None:
    """Return the picture that an event names, unless it has been removed since."""
    reference = str(named.get("picture", ""))
    is_there = "/" in reference or session.host.album.holds(session.table, reference)
    return picture_of(session.state, reference, str(named.get("alt", ""))) if is_there else None
