"""Cards of the log: one for each command, and one for a roll from its request to its end.

A card is a value made of what one seat sees. Seats that see the same get equal cards, which are rendered once.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import Enum
from itertools import chain, groupby
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
REWOUND = "rewound"
OVERRIDDEN = "overridden"
DECIDED = "decided"
ASIDE = {REWOUND: "rewind", OVERRIDDEN: "override"}
NOTED = "note_written"
SHOWN = "handout_shown"
PICTURED = "scene_pictured"
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
        says_more = self.told or self.note or self.closed or self.covered or self.aside or self.turned
        return self.kind is Kind.TABLE and not says_more

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
    entries: list[Card | Folded] = []
    for is_minor, cards_in_a_row in groupby(cards, key=lambda card: card.is_minor):
        run = tuple(cards_in_a_row)
        if is_minor and len(run) > 1:
            entries.append(Folded(run))
        else:
            entries += run
    return entries


def cards_of(session: SeatSession, events: Sequence[SeenEvent]) -> list[Card]:
    """Return the cards that these events belong to, oldest first, without rolls that are still open."""
    return [make_card(session, thread) for thread in threads.threads_of(session, events)]


def make_card(session: SeatSession, thread: threads.Thread) -> Card:
    """Return the card of a thread, as this seat sees it."""
    events = thread.events
    main = _main_event(events)
    card = _card_without_content(session, thread)
    if main.closed:
        return replace(card, closed=True, lines=(main.words,))
    talk = _talk(session, events[0])
    if talk:
        return replace(card, talk=talk, lines=_lines(events[1:]))
    card = replace(
        card,
        told=_told(session, events),
        covered=any(event.covered for event in events),
        hidden=any(event.covered and event.out_of_sight for event in events),
        revealed=any(event.name == threads.REVEALED for event in events),
        rewinds=any(event.name == REWOUND for event in events),
        aside=_aside(events),
    )
    if card.kind is Kind.ROLL:
        return _roll(session, card, [event for event in events if event.name not in threads.TELLING])
    lines = _lines(events)
    turned = len(lines) > 1 and any(event.name in CHANGES for event in events)
    return replace(card, lines=lines, note=_text_of_note(events), turned=turned)


def _main_event(events: Sequence[SeenEvent]) -> SeenEvent:
    """Return the event that names the card's command and seat: the first roll, else the first event."""
    return next((event for event in events if event.name == threads.ROLLED), events[0])


def _card_without_content(session: SeatSession, thread: threads.Thread) -> Card:
    """Return a card with what every card has: its kind, when it was, and whose it is."""
    events = thread.events
    main = _main_event(events)
    return Card(
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


def _aside(events: Iterable[SeenEvent]) -> str:
    """Return in which way the rules were set aside for all to see; empty if they were not."""
    asides = [event for event in events if event.name in ASIDE]
    if any(event.name == REWOUND and event.fields.get("undo") for event in asides):
        return "undo"
    return ASIDE[asides[0].name] if asides else ""


def _text_of_note(events: Iterable[SeenEvent]) -> str:
    """Return the text of the first note that was written, as far as this seat may read it."""
    for event in events:
        if event.name == NOTED:
            text = event.fields["note"].get("words")
            if isinstance(text, str):
                return text
    return ""


def unfolded(cards: Iterable[Card]) -> frozenset[str]:
    """Keys of the newest rolls, which are unfolded."""
    return frozenset([card.key for card in cards if card.kind is Kind.ROLL][-UNFOLDED:])


# ---------------------------------------------------------------- rolls


def _roll(session: SeatSession, card: Card, events: Sequence[SeenEvent]) -> Card:
    """Fill in the card of a roll: who rolled what and why, how it went, and what came of it."""
    requests = [event for event in events if event.name == threads.ASKED]
    rolled = [event for event in events if event.name == threads.ROLLED]
    command = _command_of(requests, rolled)
    shape = rolls.card_named(session.book, command)
    roll_by_field = {field: _first_value(events, part) for field, part in shape.sides}
    fields = _with_names_for_the_gone(session, command, _fields_of(events, roll_by_field))
    sentences = Sentences(shape, fields, session.state, session.teller)
    people = rolls.faces_in(sentences, session.state)
    notes = list(sentences.notes)
    if requests and rolled:
        notes.append(_asked_by(session, requests))
    is_for_several = len(requests) > 1
    outcomes_of_members = _first_outcomes(events) if is_for_several else []
    going = next((event for event in events if event.went and event not in outcomes_of_members), None)
    outcome = going.went if going else None
    changes: list[Change] = []
    for event in events:
        if event.name in CHANGES:
            changes += _changes(session, event)
    sequel = [event for event in _sequel(events, requests) if event is not going and event not in outcomes_of_members]
    if changes:  # an answer shows in what it changed, unless it was given for someone else
        sequel = [event for event in sequel if event.name != DECIDED or event.fields.get("for_seat")]
    card = replace(
        card,
        who=people[0].name if people else "",
        title=capitalised(sentences.title),
        notes=tuple(notes),
        people=people,
        stakes=_stakes(fields, (sentences.title, " ".join(notes))),
        outcome=outcome.words if outcome else "",
        tone=tone_for_players(session, next(iter(sentences.people), None), outcome.tone.value) if outcome else "",
        account=capitalised(going.words) if going else "",
        lines=_lines(event for event in sequel if event.name not in threads.WAITING | CHANGES | {threads.PUT}),
        changes=tuple(changes),
    )
    if is_for_several:
        card = _for_several(session, card, requests)
        return replace(card, title=title_for_all(shape, fields, session, command))
    sides = [(_name(session, fields.get(field)), roll) for field, roll in roll_by_field.items()]
    return replace(
        card,
        throws=_throws(session, shape, rolled, sides),
        why=explained(session.book, session.teller, rolled[0].fields.get("question", {})) if rolled else None,
    )


def _command_of(requests: Sequence[SeenEvent], rolled: Sequence[SeenEvent]) -> str:
    """Return the name of the command that was rolled, else that of the one that was asked for; empty if unknown."""
    if rolled:
        return str(rolled[0].fields.get("command", ""))
    if requests:
        return str(requests[0].fields["request"]["command"])
    return ""


def _first_value(events: Iterable[SeenEvent], name: str) -> Any:
    """Return a field's value in the first of these events that has one. Each game decides what it is."""
    values = (event.fields.get(name) for event in events)
    return next((value for value in values if value is not None), None)


def _fields_of(events: Iterable[SeenEvent], roll_by_field: rolls.Fields) -> dict[str, Any]:
    """Collect what the seat knows of a roll: who rolls on each side, the fields of the request, then of later events.

    Of equal names, the earliest counts.
    """
    fields: dict[str, Any] = {}
    for event in events:
        told = {name: value for name, value in event.fields.items() if name != "question"}
        fields = rolls.known_in(told) | fields
    for field, roll in roll_by_field.items():
        if isinstance(roll, Mapping) and "who" in roll:
            fields.setdefault(field, roll["who"])
    return fields


def _first_outcomes(events: Iterable[SeenEvent]) -> list[SeenEvent]:
    """Return the first outcome of each command: of a roll for several, that of a single member."""
    outcomes = [event for event in events if event.went]
    return [next(outcomes_of_act) for _, outcomes_of_act in groupby(outcomes, key=lambda event: event.act)]


def _sequel(events: Sequence[SeenEvent], requests: Iterable[SeenEvent]) -> list[SeenEvent]:
    """Return the events of all commands but the requests. If there are only requests, return those of the first."""
    requesting_acts = {event.act for event in requests}
    acts = {event.act for event in events} - requesting_acts or {events[0].act}
    return [event for event in events if event.act in acts]


def _stakes(fields: rolls.Fields, texts: Iterable[str]) -> str:
    """Return what a roll is for, unless one of these texts says it already."""
    stakes = str(fields.get("what_for") or fields.get("stakes") or "")
    return "" if any(stakes in text for text in texts) else stakes


def _asked_by(session: SeatSession, requests: Sequence[SeenEvent]) -> str:
    return f"asked by {session.teller.name(requests[0].by)}"


def _for_several(session: SeatSession, card: Card, requests: Sequence[SeenEvent]) -> Card:
    """Fill in the card of a roll that several were asked for: its members, and how many of them made it."""
    members = members_of(session, card.key)
    successes = sum(member.tone == Tone.GOOD.value for member in members)
    return replace(
        card,
        notes=(_asked_by(session, requests),),
        people=(),
        members=members,
        outcome=card.outcome or f"{successes} of {len(members)} made it",
    )


def _throws(
    session: SeatSession, shape: RollCard, rolled: Iterable[SeenEvent], sides: Sequence[tuple[str, Any]]
) -> tuple[rolls.Throw, ...]:
    """Return the dice of each side; of several sides, each with a note from the side's own numbers."""
    dice = list(chain.from_iterable(event.fields.get("dice", ()) for event in rolled))
    throws = rolls.thrown(dice, shape, [(name, roll) for name, roll in sides if name])
    if len(throws) < 2:
        return throws
    roll_by_name = dict(sides)
    throws_with_notes = []
    for throw in throws:
        roll = roll_by_name[throw.who]
        fields = rolls.known_in(roll) if isinstance(roll, Mapping) else {}
        sentences = Sentences(shape, fields, session.state, session.teller)
        throws_with_notes.append(replace(throw, note=sentences.filled(shape.side)))
    return tuple(throws_with_notes)


def title_for_all(shape: RollCard, fields: rolls.Fields, session: SeatSession, command: str) -> str:
    """Return the title of a roll that several characters are asked for."""
    actor = kind_of_command(session.book.command(command)).actor or ""
    sentences = Sentences(shape, {**fields, actor: "everybody"}, session.state, session.teller)
    return in_words(sentences.title)


def _with_names_for_the_gone(session: SeatSession, command: str, fields: dict[str, Any]) -> dict[str, Any]:
    """Replace ids of people whose entrance was undone since by names: an id is nothing to read."""
    kind = session.book.commands.get(command)
    if kind is None:
        return fields
    names = {}
    for field in people_named_by(kind):
        who = fields.get(field)
        if field in fields and who not in session.state.cast and who not in session.state.seats:
            names[field] = session.teller.name(fields[field])
    return {**fields, **names}


def _name(session: SeatSession, who: Any) -> str:
    return session.teller.name(who) if who is not None else ""


def members_of(session: SeatSession, key: str) -> tuple[Member, ...]:
    """Return those who have rolled already, of several who were asked for the same roll."""
    faces = faces_of(session.state)
    answers = [event for event in threads.whole_thread(session, key) if event.name != threads.ASKED]
    members = []
    for _, events_of_act in groupby(answers, key=lambda event: event.act):
        member = _member(list(events_of_act), faces)
        if member is not None:
            members.append(member)
    return tuple(members)


def _member(events: Sequence[SeenEvent], faces: Mapping[str, Face]) -> Member | None:
    """Return who rolled by a command, with their die and outcome; None if nothing was rolled."""
    rolled = [event for event in events if event.name == threads.ROLLED]
    if not rolled:
        return None
    who = next((event.fields["request"]["who"] for event in events if event.name == threads.MET), None)
    outcome = next((event.went for event in events if event.went), None)
    dice = chain.from_iterable(event.fields.get("dice", ()) for event in rolled)
    counting = next((die for die in dice if die["fate"] == rolls.KEPT), None)
    return Member(
        who=faces.get(str(who), Face("", "")),
        die=rolls.DieShown(counting["sides"], counting["face"], counting["fate"]) if counting else None,
        outcome=outcome.words if outcome else "",
        tone=outcome.tone.value if outcome else "",
    )


def _changes(session: SeatSession, event: SeenEvent) -> Iterator[Change]:
    """Yield each meter with its value before and after; if that is not known, the words of the event."""
    who = event.fields.get("who")
    points = event.fields.get("points") or {}
    present = event.fields.get("now") or {}
    prefix = f"{_name(session, who)}: " if who else ""
    meters = [name for name in points if name in present]
    if not meters:
        yield Change(capitalised(event.words))
    is_loss = event.name == "lost"
    tone = tone_for_players(session, who, "bad" if is_loss else "good")
    for name in meters:
        previous = present[name] + (points[name] if is_loss else -points[name])
        label = in_words(session.teller.term(name))
        yield Change(f"{prefix}{label}", f"{previous} → {present[name]}", tone)


# ---------------------------------------------------------------- what every card has


def _kind(events: Sequence[SeenEvent]) -> Kind:
    names = {event.name for event in events}
    if names & TALK:
        return Kind.TALK
    if threads.ROLLED in names or any(event.went for event in events):
        return Kind.ROLL
    if threads.ANSWERED in names:
        return Kind.TALK
    if names & SAFETY:
        return Kind.SAFETY
    is_pictured = any(event.name == PICTURED and event.fields.get("entered") for event in events)
    if names & STORY or is_pictured or any(event.in_short for event in events):
        return Kind.STORY
    return Kind.TABLE


def _lines(events: Iterable[SeenEvent]) -> tuple[str, ...]:
    return tuple(capitalised(event.words) for event in events if event.name not in WITHOUT_LINE)


# ---------------------------------------------------------------- talk and story


def _talk(session: SeatSession, event: SeenEvent) -> Talk | None:
    """Return what an event says aloud, and who to whom; None if it is no talk."""
    name = session.teller.name
    fields = event.fields
    if event.name == threads.ANSWERED:
        who = str(fields["prompt"]["to"])
        answer = event.words.removeprefix(f"{name(who)}: ")
        return Talk("say", name(who), answer, face=faces_of(session.state).get(who))
    if event.name not in TALK:
        return None
    words = str(fields.get("words", ""))
    if event.name == "whispered":
        listeners = ", ".join(map(name, fields.get("to", ())))
        return Talk("whisper", name(fields.get("seat")), words, listeners)
    character = fields.get("who")
    face = faces_of(session.state).get(str(character)) if character else None
    if event.name == "emoted":
        return Talk("emote", name(character), words, face=face)
    return Talk("say", name(character or fields.get("seat")), words, in_character=bool(character), face=face)


def _told(session: SeatSession, events: Iterable[SeenEvent]) -> Told | None:
    """Return the passage of the story that these events tell; None if they tell nothing."""
    scene = ""
    title = ""
    passages: list[str] = []
    options: list[tuple[str, bool]] = []
    picture: Shown | None = None
    reveals = False
    for event in events:
        fields: rolls.Fields = event.fields
        if event.name == "narrated":
            passages.append(str(fields.get("words", "")))
        elif event.name == threads.ANSWERED:
            passages.append(str(fields["prompt"]["answer"]))
        elif event.name == "scene_began":
            scene = str(fields.get("scene", ""))
            title = str(fields.get("title", ""))
            passages += [str(fields[part]) for part in ("hook", "action", "consequence") if fields.get(part)]
            scene_begun = Scene(id="", title=title, hook=str(fields.get("hook", "")))
            picture = _picture(session, fields) or picture_of_scene(session.state, scene_begun)
        elif event.name == PICTURED and fields.get("entered"):
            picture = _picture(session, fields)
        elif event.name == SHOWN:
            handout = fields["handout"]
            title = handout["title"]
            reveals = True
            if handout["words"]:
                passages.append(handout["words"])
            picture = _picture(session, handout)
        elif event.name == "option_offered":
            options.append((str(fields.get("words", "")), fields.get("way") == "risky"))
    if not (title or passages or picture):
        return None
    return Told(scene, title, tuple(passages), tuple(options), picture, reveals)


def _picture(session: SeatSession, fields: rolls.Fields) -> Shown | None:
    """Return the picture that an event names, unless it has been removed since."""
    reference = str(fields.get("picture", ""))
    if "/" not in reference and not session.host.album.holds(session.table, reference):
        return None
    return picture_of(session.state, reference, str(fields.get("alt", "")))
