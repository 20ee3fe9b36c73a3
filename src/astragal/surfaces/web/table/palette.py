"""Buttons that give a command or open its form; the search index of the command palette, by the words that people use.

A page loads the index once, and searches it in the browser. Commands that are not possible now are in it with the
reason.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice
from typing import Any, NamedTuple
from urllib.parse import parse_qsl

from msgspec import Struct, field
from msgspec.structs import asdict, replace

from astragal.surfaces.shared import rulebook
from astragal.surfaces.shared.context import needs
from astragal.surfaces.shared.sheets import pieces_of
from astragal.surfaces.shared.words import first_paragraph, first_sentence
from astragal.surfaces.web.forms.ask import ask_rows, rolls_against, rolls_to_ask_for
from astragal.surfaces.web.forms.choices import named_things
from astragal.surfaces.web.session import SeatSession
from astragal.surfaces.web.story.rolls import card_of
from astragal.surfaces.web.table.sheet import asking
from astragal.table.declarations import Role, Scope, kind_of_command
from astragal.table.fields.definitions import fields_of, people_named_by
from astragal.table.fields.shapes import ListShape
from astragal.table.state.table import Character
from astragal.wording import capitalised, in_words

PURPOSEFUL: Mapping[str, str] = {
    "request_roll": "asking",
    "override": "overriding",
    "undo": "undoing",
    "write_note": "notes/new",
}
"""Commands with a form of their own: its address."""
ELSEWHERE: Mapping[str, str] = {
    "promise_chain": "/fairness#own",
    "declare_chain_lost": "/fairness#own",
    "rewind": "/scenes#saves",
    "write_scene": "/scenes?write=new#write",
    "take_sample": "/heroes",
}
"""Commands with a page of their own: its address."""
PLACES: Sequence[tuple[str, str, str]] = (
    ("/log", "The log", "history, journal, transcript, download, what happened, export"),
    ("/recap", "Recap of the evening", "summary, chronicle, story so far, best rolls, luck, statistics, pdf, print"),
    ("/heroes", "Heroes", "characters, make a hero, build, create, import"),
    ("/scenes", "Scenes", "story, graph, adventure, save nodes, prepare"),
    ("/people", "People and invitations", "invite, link, qr code, players, seats, kick, phone"),
    ("/fairness", "Fair dice", "verify, proof, ledger, cheat, honest"),
    ("/rules", "Rules of the game", "book, clauses, how does it work, help"),
    ("/everything", "Everything you can do, as a list", "commands, all, menu"),
)
NOW, USUAL, OWN, SHARED, OTHERS = range(5)
"""Ranks of entries, likeliest first, for when nothing else decides their order."""


class Tool(Struct, frozen=True):
    """A button for a command. `address` leads to its form; a `bare` command needs no form."""

    title: str
    doc: str
    command: str
    address: str
    bare: bool = False


def tool(
    session: SeatSession, command: str, title: str = "", doc: str = "", filled: Iterable[tuple[str, Any]] = ()
) -> Tool:
    """Make a button for a command, with these fields filled in."""
    kind = session.book.command(command)
    base = PURPOSEFUL.get(command, f"form/{command}")
    return Tool(
        title=title or session.in_skin(kind_of_command(kind).title),
        doc=session.in_skin(doc or first_paragraph(kind)),
        command=command,
        address=asking(base, filled),
        bare=_needs_no_form(session, command),
    )


def _needs_no_form(session: SeatSession, command: str) -> bool:
    """Return whether a command can be given at once: none of its fields is required, or has anything to choose from."""
    action = session.book.actions.get(command)
    if action is not None and action.gather is not None:  # a roll's form shows the odds, and who sees it
        return False
    if command == "undo":  # its form shows what would be taken back
        return False
    kind = session.book.command(command)
    return all(
        field.names and not field.required and not named_things(session, kind, field) for field in fields_of(kind)
    )


class Entry(Struct, frozen=True, kw_only=True):
    """Entry of the index. It opens a `form`, gives a command at once (`post`), or leads to a page (`href`)."""

    id: str
    group: str
    title: str
    hint: str = ""
    words: str = ""
    """Further search words: what people call it."""
    form: str = ""
    post: str = ""
    fields: Mapping[str, str] = field(default_factory=dict)
    href: str = ""
    actor: str = ""
    """The form's field for the character who acts."""
    target: str = ""
    """The form's field for the character it is done to."""
    who_acts: str = ""
    """Meaning of the actor (who attacks), and below of the target (who is attacked), for commands with both."""
    who_suffers: str = ""
    why_not: str = ""
    rank: int = OTHERS

    @property
    def plain(self) -> dict[str, Any]:
        return {name: value for name, value in asdict(self).items() if value not in ("", {})}


ELSEWHERE_TOO = (
    Entry(id="go:/", group="Go to", title="All tables", words="home, leave, other tables", href="/"),
    Entry(
        id="go:/lab",
        group="Go to",
        title="The lab: odds of any rule",
        words="odds, explore, any rule, charts, statistics, answers",
        href="/lab",
    ),
    Entry(id="set:theme", group="Settings", title="Light or dark", words="theme, colours, night, appearance"),
    Entry(id="set:keys", group="Settings", title="Keyboard shortcuts", words="keys, help, hotkeys, ?"),
    Entry(id="set:tray", group="Do", title="Dice tray", words="dice, roll, odds, free roll, 2d6", rank=SHARED),
)
"""Entries of every table."""


def index_of(session: SeatSession) -> tuple[Entry, ...]:
    """Build the whole index, likely entries first."""
    things = [*_proposed(session), *_asks(session), *_commands(session), *_people(session), *_scenes(session)]
    things.sort(key=lambda entry: (bool(entry.why_not), entry.rank))
    return (*things, *_places(session), *ELSEWHERE_TOO, *_rules(session))


def _people(session: SeatSession) -> Iterator[Entry]:
    """Yield everyone in the story."""
    for character in session.state.characters.values():
        player = session.teller.name(character.seat) if character.seat else ""
        yield Entry(
            id=f"who:{character.id}",
            group="People",
            title=character.name,
            hint=f"played by {player or 'the game master'}",
            words=player,
            rank=USUAL,
        )


def _scenes(session: SeatSession) -> Iterator[Entry]:
    """Yield the scenes that this seat knows, each with how it stands."""
    for scene in session.state.scenes.values():
        hint = "told" if scene.entered else "prepared, not yet played"
        if scene.id == session.state.calendar.scene:
            hint = "the story is here"
        yield Entry(
            id=f"scene:{scene.id}",
            group="Scenes",
            title=scene.title,
            hint=hint,
            words="scene",
            href=f"/t/{session.table}/scenes?scene={scene.id}#scene",
            rank=SHARED,
        )


def _places(session: SeatSession) -> Iterator[Entry]:
    """Yield the pages of the table."""
    for address, title, words in PLACES:
        href = f"/t/{session.table}{address}"
        yield Entry(id=f"go:{address}", group="Go to", title=title, words=words, href=href)


def _rules(session: SeatSession) -> Iterator[Entry]:
    """Yield the rules of the game's book."""
    for rule in rulebook.entries(session.book):
        yield Entry(
            id=f"rule:{rule.clause}",
            group="Rules",
            title=f"{rule.clause}: {session.in_skin(in_words(rule.name))}",
            hint=session.in_skin(rule.about),
            words="rule",
            href=f"/t/{session.table}/rules#{rule.clause}",
        )


# ---------------------------------------------------------------- commands


def _commands(session: SeatSession) -> Iterator[Entry]:
    """Yield all commands of this role. Those on cards, or behind a click on one's own sheet, come first."""
    allowed = session.book.commands_for(session.viewer.role)
    actions = chain.from_iterable(chapter.actions for chapter in session.ruleset.chapters)
    of_the_game = {action.name for action in actions}
    usual = [name for name in _usual_commands(session) if name in allowed]
    for name in dict.fromkeys([*usual, *allowed]):
        if name in usual:
            rank = USUAL
        else:
            rank = OWN if name in of_the_game else SHARED
        yield _command(session, name, rank)


def _usual_commands(session: SeatSession) -> Iterator[str]:
    """Yield the commands that are on cards, or behind a click on one's own sheet."""
    if rolls_to_ask_for(session):
        yield "request_roll"
    at_hand = session.ruleset.at_hand
    for name in (*at_hand.heroes, *at_hand.others):
        yield name.partition(".")[0]
    for who in session.viewer.characters:
        for piece in pieces_of(session, session.state.characters[who]) or ():
            command = getattr(piece, "command", None)  # only pieces that can be clicked have one
            if command:
                yield command


def _command(session: SeatSession, name: str, rank: int) -> Entry:
    """Return the entry of a command: it opens the command's form or page, or gives it at once."""
    kind = session.book.command(name)
    button = tool(session, name)
    actor, target = people_fields(session, name)
    doc_by_field: dict[str, str] = {}
    if actor and target:
        doc_by_field = {field.name: capitalised(session.in_skin(field.doc)) for field in fields_of(kind)}
    heroes = session.ruleset.heroes
    page = "/heroes" if heroes and name == heroes.make else ELSEWHERE.get(name, "")
    entry = Entry(
        id=f"do:{name}",
        group="Do",
        title=button.title,
        hint=session.in_skin(first_sentence(kind)),
        words=", ".join([name.replace("_", " "), *session.book.everyday(name)]),
        actor=actor,
        target=target,
        who_acts=doc_by_field.get(actor, ""),
        who_suffers=doc_by_field.get(target, ""),
        why_not=why_not(session, name, kind),
        rank=rank,
    )
    if page:
        return replace(entry, href=f"/t/{session.table}{page}")
    if button.bare:
        return replace(entry, post=f"quick/{name}")
    return replace(entry, form=button.address)


class PeopleFields(NamedTuple):
    """The fields of a command that name who acts and whom it is done to; empty if it has none."""

    actor: str
    target: str


def people_fields(session: SeatSession, command: str) -> PeopleFields:
    """Return the fields of a command that name who acts and whom it is done to; empty if it has none."""
    kind = session.book.command(command)
    action = session.book.actions.get(command)
    single = {field.name for field in fields_of(kind) if not isinstance(field.shape, ListShape)}
    names = [name for name, named in people_named_by(kind).items() if named == "character" and name in single]
    actor = kind_of_command(kind).actor or ""
    if actor not in names:
        actor = ""
    targets = [name for name in names if name != actor]
    usual_target = card_of(action).target if action else ""
    if usual_target in targets:
        return PeopleFields(actor, usual_target)
    return PeopleFields(actor, targets[0] if targets else "")


def why_not(session: SeatSession, name: str, kind: type) -> str:
    if name == "request_roll" and not rolls_to_ask_for(session):
        return "This game calls for rolls with its own commands."
    if session.is_possible(kind):
        return ""
    if kind_of_command(kind).may.get(session.viewer.role) is Scope.OWN and not session.viewer.characters:
        return "You have no hero yet."
    if not session.is_of_use(kind):
        return "Nothing calls for it now."
    missing = (thing for thing in sorted(needs(kind)) if session.things(thing) == {})
    return f"There is no {next(missing, 'such thing')} here now."


def _proposed(session: SeatSession) -> Iterator[Entry]:
    """Yield the commands that the game proposes now."""
    allowed = session.book.commands_for(session.viewer.role)
    for number, proposal in enumerate(session.proposals):
        own = session.is_game_master if proposal.who is None else proposal.who in session.viewer.characters
        if own and proposal.command in allowed:
            title = session.in_skin(in_words(proposal.label))
            address = tool(session, proposal.command, title, proposal.doc, proposal.fields).address
            yield Entry(id=f"now:{number}", group="Now", title=title, hint=proposal.about, form=address, rank=NOW)


def _asks(session: SeatSession) -> Iterator[Entry]:
    """Yield each roll that each hero can be asked for: with one click, unless it needs a difficulty."""
    if not session.is_game_master:
        return
    against = rolls_against(session)
    for who, asks in ask_rows(session, rolls_to_ask_for(session)):
        for ask in asks:
            title = f"Ask {who} for {ask.words}".replace("Ask Everybody", "Ask everybody")
            fields = dict(parse_qsl(ask.value))
            entry = Entry(id=f"ask:{ask.value}", group="Do", title=title, words="roll, test, check", rank=SHARED)
            if fields["command"] in against and fields["who"] in session.state.characters:
                yield replace(entry, hint="You say how hard it is", form=f"asking?{ask.value}")
            else:
                hint = "They see the exact chance, and roll"
                yield replace(entry, hint=hint, post="asking", fields={".ask": ask.value})


# ---------------------------------------------------------------- commands about one character


def with_somebody(session: SeatSession, character: Character[Any]) -> Iterator[Entry]:
    """Yield all that this character can do, or that can be done to them, with them filled in, as the palette has it."""
    may_act = session.is_game_master or character.id in session.viewer.characters
    for entry in index_of(session):
        if not entry.form or entry.why_not:
            continue
        actor = entry.actor if may_act else ""
        target = entry.target if session.is_game_master or not actor else ""
        if actor:
            title = f"{entry.title} as {character.name}"
            yield _filled_in(entry, title, entry.who_acts, f"{actor}={character.id}")
        if target:
            sign = " →" if entry.actor else ":"
            title = f"{entry.title}{sign} {character.name}"
            yield _filled_in(entry, title, entry.who_suffers, f"{target}={character.id}")


def _filled_in(entry: Entry, title: str, hint: str, field: str) -> Entry:
    """Return an entry with one field of its form filled in."""
    sign = "&" if "?" in entry.form else "?"
    return replace(entry, title=title, hint=hint or entry.hint, form=f"{entry.form}{sign}{field}")


MOST_ON_CARD = 3
MOST_ON_OWN = 6


def on_card(session: SeatSession, character: Character[Any]) -> tuple[Tool, ...]:
    """Return the game's usual commands for this character, with them filled in."""
    if session.viewer.role is Role.SPECTATOR:
        return ()
    is_own = character.id in session.viewer.characters
    return tuple(islice(_on_card(session, character), MOST_ON_OWN if is_own else MOST_ON_CARD))


def _on_card(session: SeatSession, character: Character[Any]) -> Iterator[Tool]:
    """Yield commands that the character gives, if the seat may act for them; else those done to the character."""
    is_own = character.id in session.viewer.characters
    runs = session.is_game_master
    is_foe = not character.seat
    if runs and not is_foe and rolls_to_ask_for(session):
        yield Tool("Ask", "", "request_roll", f"asking?who={character.id}")
    allowed = session.book.commands_for(session.viewer.role)
    for command in dict.fromkeys(_at_hand(session, character)):
        name, _, field = command.partition(".")
        if name not in allowed or not session.is_possible(allowed[name]):
            continue
        actor, target = people_fields(session, name)
        title = session.in_skin(in_words(name))
        suffers = not actor if runs else actor and not is_own
        if actor and (is_own or (runs and is_foe)):
            title = f"{title} as" if target and runs else title
            yield Tool(title, "", name, f"form/{name}?{actor}={character.id}")
        elif suffers and (field or target):
            yield Tool(title, "", name, f"form/{name}?{field or target}={character.id}")


def _at_hand(session: SeatSession, character: Character[Any]) -> Sequence[str]:
    """Return the usual commands of a hero or a foe. Some have a field after a dot, which names the character."""
    at_hand = session.ruleset.at_hand
    if character.id in session.viewer.characters:
        return (*at_hand.heroes, *at_hand.others)
    return at_hand.heroes if character.seat else at_hand.others
