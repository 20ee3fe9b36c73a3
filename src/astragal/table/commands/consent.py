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
from astragal.table.declarations import CommandKind, Role, Sight, kind_of_command
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
    required = required_consent(book, history, call, command)
    hero = hero_of_a_person(call.state, command)
    if required is None and hero is None:
        return None
    owner = call.state.characters[hero].seat if hero else None
    decider = required.of if required else owner
    if agreed is not None and decider in (None, agreed):
        return builtin.ConsentGiven(seat=agreed, words=in_words(book, call, command))
    if required and people_to_ask(call.state, decider, type(command)):
        return _proposed(call, command, required)
    return builtin.DoneOnAiWord(who=hero, seat=owner)


def proposed_in(call: Call, command: Any) -> tuple[str, ...]:
    """Return the fields whose values a player may only propose, so that the game master has to rule on them.

    Values that the game master's own request filled in need no ruling, nor do fields that the command says are
    `granted`. At a trusting table, players decide these fields themselves.
    """
    if call.viewer.is_game_master or call.state.house.trusting:
        return ()
    granted = command.granted(call) if isinstance(command, Command) else ()
    fields_set = execute.fields_said(call.state, command, definitions.MaySet.PROPOSAL)
    return tuple(name for name in fields_set if name not in granted)


def ruling(book: registry.Book, call: Call, command: Any) -> builtin.ConsentAsked | None:
    """Return the proposal that waits for the game master instead of the command, if a player may only propose it."""
    proposed = proposed_in(call, command)
    if not proposed:
        return None
    required = RequiredConsent(call.state.game_master, in_words(book, call, command))
    return _proposed(call, command, required, proposed)


def _proposed(call: Call, command: Any, required: RequiredConsent, ruled: tuple[str, ...] = ()) -> builtin.ConsentAsked:
    """Make a proposal, which will wait in the table's state. One that waits already is refused."""
    name = kind_of_command(type(command)).name
    fields, texts = execute.texts_apart(command)
    proposal = (call.viewer.seat, name, {**fields, **texts})
    for waiting in call.state.consents.values():
        if (waiting.by, waiting.command, waiting.said) == proposal:
            raise refusals.StillDeciding(f"That waits for a yes already ({waiting.words}).")
    consent = Consent(
        id=call.fresh,
        by=call.viewer.seat,
        of=required.of,
        command=name,
        fields=fields,
        words=required.words,
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
    people = [seat for seat in state.seats.values() if not seat.ai and seat.role is not Role.SPECTATOR]
    if of is not None:
        return tuple(person.id for person in people if person.id == of)
    allowed = [person for person in people if person.role in kind_of_command(command).may]
    return tuple(person.id for person in allowed or people)


# ---------------------------------------------------------------- a command in words


def in_words(book: registry.Book, call: Call, command: Any, ruled: tuple[str, ...] = ()) -> str:
    """Put a command into words as a person would: "Kira rolls climbing, against 5", "Kira wants to carry a rope".

    The difficulty of a hidden roll is left out. With `ruled`, only the fields that were ruled on: "against 5".
    """
    kind = kind_of_command(type(command))
    view = redact(call.state, call.viewer)
    teller = Teller(view, view.terms)
    action = book.actions.get(kind.name)
    fields = definitions.fields_of(type(command))
    words_by_field = _words_by_field(book, call, command, view)
    ruled_fields = [field for field in fields if field.name in ruled and field.name in words_by_field]
    if ruled_fields:
        return ", ".join(_part(field, words_by_field[field.name], teller) for field in ruled_fields)
    if action is not None and action.card is not None:
        sentences = Sentences(action.card, words_by_field, view, teller)
        parts = [sentences.title, *sentences.further]
        fields_in_sentence = {*sentences.told, kind.actor}
    else:
        subject = next((field.name for field in fields if field.required and field.name != kind.actor), "")
        parts = [_plain_sentence(kind, words_by_field, subject)]
        fields_in_sentence = {kind.actor, subject}
    for field in fields:
        if field.name in words_by_field and field.name not in fields_in_sentence:
            parts.append(_part(field, words_by_field[field.name], teller))
    return ", ".join(parts)


def _words_by_field(book: registry.Book, call: Call, command: Any, view: State) -> dict[str, str]:
    """Return the words for the command's actor and for each field that was set, without a hidden difficulty."""
    kind = kind_of_command(type(command))
    action = book.actions.get(kind.name)
    hides = call.sight is not Sight.OPEN or (action is not None and action.hides(call, command))
    teller = Teller(view, view.terms)
    words_by_field = {}
    for field in definitions.fields_of(type(command)):
        value = getattr(command, field.name)
        is_left_out = value == field.default or (hides and field.is_against)
        if is_left_out and field.name != kind.actor:
            continue
        names_of_things = lookup.things_of(book.kinds, view, field.names) if field.names else None
        words = _value_words(plain(value), names_of_things or {}, teller)[:LONGEST_VALUE]
        words_by_field[field.name] = f"“{words}”" if field.is_free_text else words
    return words_by_field


def _plain_sentence(kind: CommandKind, words_by_field: Mapping[str, str], subject: str) -> str:
    """Put a command that has no card into words, by its title: "Kira wants to carry a rope"."""
    words = []
    if kind.actor:
        words += [words_by_field[kind.actor], "wants to"]
    words.append(kind.title[:1].lower() + kind.title[1:])
    words.append(words_by_field.get(subject, ""))
    return " ".join(word for word in words if word)


def _part(field: definitions.Field, words: str, teller: Teller) -> str:
    """Put a field into words as part of a sentence: "against 5", "lethal", "advantage a rope"."""
    if field.is_against:
        return f"against {words}"
    term = teller.term(field.name)
    label = field.label if term == field.name else term
    return label if words == "yes" else f"{label} {words}"


def _value_words(value: Any, names_of_things: Mapping[str, str], teller: Teller) -> str:
    """Put a plain value into words; the id of a thing becomes its name."""
    match value:
        case str():
            return names_of_things.get(value, teller.term(value))
        case bool() | None:
            return "yes" if value else "no"
        case list():
            return " and ".join(_value_words(item, names_of_things, teller) for item in value) or "none"
        case dict():
            parts = []
            for key, item in value.items():
                if item not in (None, "", [], {}):
                    parts.append(f"{teller.term(key)} {_value_words(item, names_of_things, teller)}")
            return " and ".join(parts)
        case _:
            return str(value)


# ---------------------------------------------------------------- what a command would change


def _concerned(book: registry.Book, history: History, call: Call, command: Any) -> Iterator[str]:
    """Yield the seats of the people whose seat, heroes or sheet the command would change."""
    action = book.actions.get(kind_of_command(type(command)).name)
    if action is None:
        return
    before = call.state
    hero = hero_of_a_person(before, command)
    if action.gather is not None:
        if hero and action.pays(command):
            yield _person(before, hero) or ""
        return
    states, _ = execute.settle(book, history, action.tell(call, command, None))
    after = states[-1] if states else before
    for seat in before.seats.values():
        if not seat.ai and after.seats.get(seat.id) != seat:  # their seat changes
            yield seat.id
    for character in before.characters:
        owner = _person(before, character)
        if owner and owner in after.seats and _person(after, character) != owner:  # they lose a hero
            yield owner
    if hero and after.characters[hero].sheet != before.characters[hero].sheet:
        yield _person(before, hero) or ""


def _person(state: State, who: str) -> str | None:
    """Return the seat of the person who plays this character; None if nobody does, or a program."""
    character = state.characters.get(who)
    seat = state.seats.get(character.seat or "") if character else None
    return seat.id if seat and not seat.ai else None
