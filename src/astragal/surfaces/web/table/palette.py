"""Buttons that give a command or open its form; the search index of the command palette, by the words that people use.

A page loads the index once, and searches it in the browser. Commands that are not possible now are in it with the
reason.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import islice
from typing import Any
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
    kind, action = session.book.command(command), session.book.actions.get(command)
    base = PURPOSEFUL.get(command, f"form/{command}")
    rolls = action is not None and action.gather is not None  # its form shows the odds, and who sees it
    bare = not rolls and base != "undoing"
    bare = bare and all(
        one.names and not one.required and not named_things(session, kind, one) for one in fields_of(kind)
    )
    said = session.in_skin
    address = asking(base, filled)
    return Tool(title or said(kind_of_command(kind).title), said(doc or first_paragraph(kind)), command, address, bare)


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
    state, table = session.state, f"/t/{session.table}"
    found = [*_proposed(session), *_asks(session), *_commands(session)]
    for who in state.characters.values():
        player = session.teller.name(who.seat) if who.seat else ""
        hint = f"played by {player or 'the game master'}"
        found.append(Entry(id=f"who:{who.id}", group="People", title=who.name, hint=hint, words=player, rank=USUAL))
    for one in state.scenes.values():
        stands = "told" if one.entered else "prepared, not yet played"
        hint = "the story is here" if one.id == state.calendar.scene else stands
        href = f"{table}/scenes?scene={one.id}#scene"
        scene = Entry(id=f"scene:{one.id}", group="Scenes", title=one.title, hint=hint, words="scene", href=href)
        found.append(replace(scene, rank=SHARED))
    places = (
        Entry(id=f"go:{address}", group="Go to", title=title, words=words, href=table + address)
        for address, title, words in PLACES
    )
    rules = (
        Entry(
            id=f"rule:{one.clause}",
            group="Rules",
            title=f"{one.clause}: {session.in_skin(in_words(one.name))}",
            hint=session.in_skin(one.about),
            words="rule",
            href=f"{table}/rules#{one.clause}",
        )
        for one in rulebook.entries(session.book)
    )
    return (*sorted(found, key=lambda one: (bool(one.why_not), one.rank)), *places, *ELSEWHERE_TOO, *rules)


# ---------------------------------------------------------------- commands


def _commands(session: SeatSession) -> Iterator[Entry]:
    """Yield all commands of this role. Those on cards, or behind a click on one's own sheet, come first."""
    own = {action.name for chapter in session.ruleset.chapters for action in chapter.actions}
    allowed, at_hand = session.book.commands_for(session.viewer.role), session.ruleset.at_hand
    sheets = (pieces_of(session, session.state.characters[who]) or () for who in session.viewer.characters)
    usual = ["request_roll"] if rolls_to_ask_for(session) else []
    usual += [one.partition(".")[0] for one in (*at_hand.heroes, *at_hand.others)]
    usual += [command for pieces in sheets for one in pieces if (command := getattr(one, "command", None))]
    usual = [name for name in usual if name in allowed]
    for name in dict.fromkeys([*usual, *allowed]):
        found, (actor, target) = tool(session, name), people_fields(session, name)
        meanings = (
            {one.name: capitalised(session.in_skin(one.doc)) for one in fields_of(allowed[name])}
            if actor and target
            else {}
        )
        heroes = session.ruleset.heroes
        elsewhere = "/heroes" if heroes and name == heroes.make else ELSEWHERE.get(name, "")
        yield Entry(
            id=f"do:{name}",
            group="Do",
            title=found.title,
            hint=session.in_skin(first_sentence(allowed[name])),
            words=", ".join([name.replace("_", " "), *session.book.everyday(name)]),
            form="" if elsewhere or found.bare else found.address,
            post=f"quick/{name}" if found.bare and not elsewhere else "",
            href=f"/t/{session.table}{elsewhere}" if elsewhere else "",
            actor=actor,
            target=target,
            who_acts=meanings.get(actor, ""),
            who_suffers=meanings.get(target, ""),
            why_not=why_not(session, name, allowed[name]),
            rank=USUAL if name in usual else OWN if name in own else SHARED,
        )


def people_fields(session: SeatSession, command: str) -> tuple[str, str]:
    """Return the fields of a command that name who acts and whom it is done to; empty if it has none."""
    action = session.book.actions.get(command)
    return _people_fields(session.book.command(command), card_of(action).target if action else "")


@cache
def _people_fields(kind: type, target: str) -> tuple[str, str]:
    single = {one.name for one in fields_of(kind) if not isinstance(one.shape, ListShape)}
    named = [one for one, what in people_named_by(kind).items() if what == "character" and one in single]
    actor = next((one for one in named if one == kind_of_command(kind).actor), "")
    others = [one for one in named if one != actor]
    return actor, target if target in others else others[0] if others else ""


def why_not(session: SeatSession, name: str, kind: type) -> str:
    if name == "request_roll" and not rolls_to_ask_for(session):
        return "This game calls for rolls with its own commands."
    if session.is_possible(kind):
        return ""
    if kind_of_command(kind).may.get(session.viewer.role) is Scope.OWN and not session.viewer.characters:
        return "You have no hero yet."
    if not session.is_of_use(kind):
        return "Nothing calls for it now."
    missing = (one for one in sorted(needs(kind)) if session.things(one) == {})
    return f"There is no {next(missing, 'such thing')} here now."


def _proposed(session: SeatSession) -> Iterator[Entry]:
    """Yield the commands that the game proposes now."""
    for number, one in enumerate(session.proposals):
        own = session.is_game_master if one.who is None else one.who in session.viewer.characters
        if own and one.command in session.book.commands_for(session.viewer.role):
            title = session.in_skin(in_words(one.label))
            found = tool(session, one.command, title, one.doc, one.fields)
            yield Entry(id=f"now:{number}", group="Now", title=title, hint=one.about, form=found.address, rank=NOW)


def _asks(session: SeatSession) -> Iterator[Entry]:
    """Yield each roll that each hero can be asked for: with one click, unless it needs a difficulty."""
    if not session.is_game_master:
        return
    rolls, against = rolls_to_ask_for(session), rolls_against(session)
    for who, asks in ask_rows(session, rolls):
        for ask in asks:
            title = f"Ask {who} for {ask.words}".replace("Ask Everybody", "Ask everybody")
            said = dict(parse_qsl(ask.value))
            entry = Entry(id=f"ask:{ask.value}", group="Do", title=title, words="roll, test, check", rank=SHARED)
            sees = "They see the exact chance, and roll"
            if said["command"] in against and said["who"] in session.state.characters:
                yield replace(entry, hint="You say how hard it is", form=f"asking?{ask.value}")
            else:
                yield replace(entry, hint=sees, post="asking", fields={".ask": ask.value})


# ---------------------------------------------------------------- commands about one character


def with_somebody(session: SeatSession, character: Character[Any]) -> Iterator[Entry]:
    """Yield all that this character can do, or that can be done to them, with them filled in, as the palette has it."""
    is_own, runs = character.id in session.viewer.characters, session.is_game_master
    for one in index_of(session):
        actor = one.actor if runs or is_own else ""
        target = one.target if runs or not actor else ""
        roles = ((actor, " as", one.who_acts), (target, " →" if one.actor else ":", one.who_suffers))
        for name, role, hint in roles:
            if name and one.form and not one.why_not:
                sign = "&" if "?" in one.form else "?"
                title, form = f"{one.title}{role} {character.name}", f"{one.form}{sign}{name}={character.id}"
                yield replace(one, title=title, hint=hint or one.hint, form=form)


MOST_ON_CARD, MOST_ON_OWN = 3, 6


def on_card(session: SeatSession, character: Character[Any]) -> tuple[Tool, ...]:
    """Return the game's usual commands for this character, with them filled in."""
    most = MOST_ON_OWN if character.id in session.viewer.characters else MOST_ON_CARD
    return () if session.viewer.role is Role.SPECTATOR else tuple(islice(_on_card(session, character), most))


def _on_card(session: SeatSession, character: Character[Any]) -> Iterator[Tool]:
    is_own, runs = character.id in session.viewer.characters, session.is_game_master
    if runs and character.seat and rolls_to_ask_for(session):
        yield Tool("Ask", "", "request_roll", f"asking?who={character.id}")
    allowed, at_hand = session.book.commands_for(session.viewer.role), session.ruleset.at_hand
    usual = (*at_hand.heroes, *at_hand.others) if is_own else at_hand.heroes if character.seat else at_hand.others
    for one in dict.fromkeys(usual):
        name, _, field = one.partition(".")
        if name not in allowed or not session.is_possible(allowed[name]):
            continue
        actor, target = people_fields(session, name)
        title, is_foe = session.in_skin(in_words(name)), not character.seat
        if actor and (is_own or (runs and is_foe)):
            title = f"{title} as" if target and runs else title
            yield Tool(title, "", name, f"form/{name}?{actor}={character.id}")
        elif (field or target) and (not actor if runs else actor and not is_own):
            yield Tool(title, "", name, f"form/{name}?{field or target}={character.id}")
