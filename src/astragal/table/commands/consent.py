"""Consent that a command needs, derived from what the command declares and what it would change.

Only the person concerned decides who decides for them and their heroes, and what their hero pays. A `grave` command
needs the word of some person who plays here. A program may do everything else; its commands for a person's hero are
marked.

The game master rules on what a player may only propose: fields marked `MaySet.PROPOSAL`.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct

from astragal.table import refusals, registry
from astragal.table.authoring.chapter import Call, Command
from astragal.table.authoring.log_lines import Teller
from astragal.table.authoring.sentences import Sentences
from astragal.table.commands import builtin, execute
from astragal.table.declarations import Role, Sight, kind_of_command
from astragal.table.fields import definitions, lookup
from astragal.table.log.history import History
from astragal.table.state.table import State
from astragal.table.state.things import Consent
from astragal.table.visibility.redact import plain, redact

LONGEST_VALUE = 120


class RequiredConsent(Struct, frozen=True):
    """Consent that a command needs: the seat to ask, or None for anyone who plays here; and the command in words."""

    of: str | None
    words: str


def required_consent(book: registry.Book, history: History, call: Call, command: Any) -> RequiredConsent | None:
    """Return the consent that a program needs before it gives this command, if any."""
    words = in_words(book, call, command)
    if kind_of_command(type(command)).grave:
        return RequiredConsent(None, words)
    concerned = sorted(set(_concerned(book, history, call, command)))
    if len(concerned) > 1:
        names = " and ".join(call.state.seats[seat].name for seat in concerned)
        raise refusals.Refusal(f"That is for {names} to decide: each of them does it for themselves.", code="not_yours")
    return RequiredConsent(concerned[0], words) if concerned else None


def consent_event(
    book: registry.Book, history: History, call: Call, command: Any, agreed: str | None
) -> builtin.ConsentAsked | builtin.ConsentGiven | builtin.DoneOnAiWord | None:
    """Return an event to add to a program's command, or a `ConsentAsked` to replace it if a person must agree first."""
    concerned, hero = required_consent(book, history, call, command), hero_of_a_person(call.state, command)
    if concerned is None and hero is None:
        return None
    owner = call.state.characters[hero].seat if hero else None
    of = concerned.of if concerned else owner
    if agreed is not None and of in (None, agreed):
        return builtin.ConsentGiven(seat=agreed, words=in_words(book, call, command))
    if concerned and people_to_ask(call.state, of, type(command)):
        return _proposed(call, command, concerned)
    return builtin.DoneOnAiWord(who=hero, seat=owner)


def proposed_in(call: Call, command: Any) -> tuple[str, ...]:
    """Return the fields whose values a player may only propose, so that the game master has to rule on them.

    Values that the game master's own request filled in need no ruling, nor do fields that the command says are
    `granted`. At a trusting table, players decide these fields themselves.
    """
    if call.viewer.is_game_master or call.state.house.trusting:
        return ()
    granted = command.granted(call) if isinstance(command, Command) else ()
    said = execute.fields_said(call.state, command, definitions.MaySet.PROPOSAL)
    return tuple(name for name in said if name not in granted)


def ruling(book: registry.Book, call: Call, command: Any) -> builtin.ConsentAsked | None:
    """Return the proposal that waits for the game master instead of the command, if a player may only propose it."""
    proposed = proposed_in(call, command)
    if not proposed:
        return None
    concerned = RequiredConsent(call.state.game_master, in_words(book, call, command))
    return _proposed(call, command, concerned, proposed)


def _proposed(
    call: Call, command: Any, concerned: RequiredConsent, ruled: tuple[str, ...] = ()
) -> builtin.ConsentAsked:
    """Make a proposal, which will wait in the table's state. One that waits already is refused."""
    name, (fields, texts) = kind_of_command(type(command)).name, execute.texts_apart(command)
    for one in call.state.consents.values():
        if (one.by, one.command, one.said) == (call.viewer.seat, name, {**fields, **texts}):
            raise refusals.StillDeciding(f"That waits for a yes already ({one.words}).")
    consent = Consent(
        id=call.fresh,
        by=call.viewer.seat,
        of=concerned.of,
        command=name,
        fields=fields,
        words=concerned.words,
        sight=call.sight,
        ruling=ruled,
        texts=texts,
    )
    return builtin.ConsentAsked(consent=consent)


def hero_of_a_person(state: State, command: Any) -> str | None:
    """Return the hero that a command acts as, if a person plays them."""
    actor = kind_of_command(type(command)).actor
    who = getattr(command, actor) if actor else None
    return who if isinstance(who, str) and _person(state, who) else None


def who_may_agree(state: State, consent: Consent, command: type) -> tuple[str, ...]:
    """Return the seats that may agree to a proposal. A ruling is for the game master, even if that is an AI."""
    return (state.game_master,) if consent.ruling else people_to_ask(state, consent.of, command)


def people_to_ask(state: State, of: str | None, command: type) -> tuple[str, ...]:
    """Return the people's seats to ask: the one named, else those that may give the command, else all that play."""
    people = [one for one in state.seats.values() if not one.ai and one.role is not Role.SPECTATOR]
    if of is not None:
        return tuple(one.id for one in people if one.id == of)
    may = [one for one in people if one.role in kind_of_command(command).may]
    return tuple(one.id for one in may or people)


def in_words(book: registry.Book, call: Call, command: Any, ruled: tuple[str, ...] = ()) -> str:
    """Put a command into words as a person would: "Kira rolls climbing, against 5", "Kira wants to carry a rope".

    The difficulty of a hidden roll is left out. With `ruled`, only the fields that were ruled on: "against 5".
    """
    kind, view = kind_of_command(type(command)), redact(call.state, call.viewer)
    action = book.actions.get(kind.name)
    hides = call.sight is not Sight.OPEN or (action is not None and action.hides(call, command))
    teller, fields, shown = Teller(view, view.terms), definitions.fields_of(type(command)), dict[str, str]()
    for field in fields:
        value = getattr(command, field.name)
        if field.name == kind.actor or not (value == field.default or (hides and field.is_against)):
            things = lookup.things_of(book.kinds, view, field.names) if field.names else None
            words = _value_words(plain(value), things or {}, teller)[:LONGEST_VALUE]
            shown[field.name] = f"“{words}”" if field.is_free_text else words
    if parts := [_part(one, shown[one.name], teller) for one in fields if one.name in ruled and one.name in shown]:
        return ", ".join(parts)
    if action is not None and action.card is not None:
        said = Sentences(action.card, shown, view, teller)
        parts, told = [said.title, *said.further], {*said.told, kind.actor}
    else:
        what = next((one.name for one in fields if one.required and one.name != kind.actor), "")
        who = [shown[kind.actor], "wants to"] if kind.actor else []
        verb = kind.title[:1].lower() + kind.title[1:]
        parts, told = [" ".join(filter(None, (*who, verb, shown.get(what))))], {kind.actor, what}
    rest = (one for one in fields if one.name in shown and one.name not in told)
    return ", ".join([*parts, *(_part(one, shown[one.name], teller) for one in rest)])


def _part(field: definitions.Field, words: str, teller: Teller) -> str:
    """Put a field into words as part of a sentence: "against 5", "lethal", "advantage a rope"."""
    if field.is_against:
        return f"against {words}"
    term = teller.term(field.name)
    label = field.label if term == field.name else term
    return label if words == "yes" else f"{label} {words}"


def _value_words(value: Any, things: Mapping[str, str], teller: Teller) -> str:
    match value:
        case str():
            return things.get(value, teller.term(value))
        case bool() | None:
            return "yes" if value else "no"
        case list():
            return " and ".join(_value_words(one, things, teller) for one in value) or "none"
        case dict():
            parts = ((key, one) for key, one in value.items() if one not in (None, "", [], {}))
            return " and ".join(f"{teller.term(key)} {_value_words(one, things, teller)}" for key, one in parts)
        case _:
            return str(value)


# ---------------------------------------------------------------- what a command would change


def _concerned(book: registry.Book, history: History, call: Call, command: Any) -> Iterator[str]:
    """Yield the seats of the people whose seat, heroes or sheet the command would change."""
    action = book.actions.get(kind_of_command(type(command)).name)
    if action is None:
        return
    hero, before = hero_of_a_person(call.state, command), call.state
    if action.gather is not None:
        if hero and action.pays(command):
            yield _person(before, hero) or ""
        return
    states, _ = execute.settle(book, history, action.tell(call, command, None))
    after = states[-1] if states else before
    for seat in before.seats.values():
        if not seat.ai and after.seats.get(seat.id) != seat:  # their seat changes
            yield seat.id
    for who in before.characters:
        owner = _person(before, who)
        if owner and owner in after.seats and _person(after, who) != owner:  # they lose a hero
            yield owner
    if hero and after.characters[hero].sheet != before.characters[hero].sheet:
        yield _person(before, hero) or ""


def _person(state: State, who: str) -> str | None:
    """Return the seat of the person who plays this character; None if nobody does, or a program."""
    character = state.characters.get(who)
    seat = state.seats.get(character.seat or "") if character else None
    return seat.id if seat and not seat.ai else None
