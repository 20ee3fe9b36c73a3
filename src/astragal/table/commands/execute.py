"""Execution of a command: pure, from a state to events. Nothing is stored or shown here."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from astragal import chance
from astragal.chance.play import next_dice
from astragal.fair.sources import seat_of
from astragal.fields import field_names
from astragal.table import refusals, registry
from astragal.table.authoring.chapter import Action, Call
from astragal.table.chapters.safety import check_goes_on
from astragal.table.commands import builtin
from astragal.table.declarations import Scope, Sight, Viewer, convert, is_value, kind_of_command, parts_of
from astragal.table.dice import Drawing, Witnesses
from astragal.table.fields import definitions, validation
from astragal.table.log.codec import RuleHasChanged, dice_of, rolled_from
from astragal.table.log.history import History
from astragal.table.state.table import Asked, Character, Decision, Die, State
from astragal.table.visibility.redact import plain

Play = chance.Settled[Any] | chance.Waiting[Any]
"""A question that was played, to its end or to the next decision. Its verdict is whatever the ruleset returns."""

MOST_EVENTS = 500
MOST_FACES_NAMED = 6

LINK_DIGITS = 64

SOME_TEXT = "\ue001"
"""Placeholder for free text, which is stored in one place only so that it can be blanked."""


class Invocation(NamedTuple):
    """A command about to run: its call (state and viewer), its action, its fields and its visibility."""

    book: registry.Book
    call: Call
    action: Action[Any, Any]
    command: Any
    sight: Sight = Sight.OPEN
    by_hand: bool = False

    @property
    def state(self) -> State:
        return self.call.state

    def question(self) -> chance.Question[Any] | None:
        return self.action.gather(self.call, self.command) if self.action.gather else None

    def sides(self) -> Mapping[str, str]:
        """Return the character or seat that answers for each side of the question."""
        if self.action.sides:
            return self.action.sides(self.call, self.command)
        who_by_field = {}
        for name in definitions.people_named_by(type(self.command)):
            who = getattr(self.command, name)
            if isinstance(who, str):
                who_by_field[name] = who
        return who_by_field


# ---------------------------------------------------------------- rights


def allow(state: State, viewer: Viewer, command: Any) -> None:
    """Authorize a command by the viewer's role, the acting character and the fields set. The default is to refuse."""
    kind = kind_of_command(type(command))
    kind.check_role(viewer)
    if kind.may[viewer.role] is Scope.OWN:
        is_own = kind.actor is not None and getattr(command, kind.actor) in viewer.characters
        if not is_own:
            raise refusals.NotYours("That character is somebody else's.")
    if not viewer.is_game_master:
        reserved = fields_said(state, command, definitions.MaySet.GAME_MASTER)
        if reserved:
            raise refusals.NotAllowed(f"Only the game master can set that ({reserved[0].replace('_', ' ')}).")


def said(command: Any) -> dict[str, Any]:
    """Return the fields of a command that differ from their defaults, with `SOME_TEXT` in place of free text."""
    fields = {}
    for field in definitions.fields_of(type(command)):
        value = getattr(command, field.name)
        if value != field.default:
            fields[field.name] = SOME_TEXT if field.is_free_text else plain(value)
    return fields


def texts_apart(command: Any) -> tuple[dict[str, Any], dict[str, str]]:
    """Split a command that has to wait into fields and free text, which is stored apart so that it can be blanked."""
    fields = plain(command)
    texts = {}
    for field in definitions.fields_of(type(command)):
        if field.is_free_text and isinstance(fields[field.name], str):
            texts[field.name] = fields.pop(field.name)
    return fields, texts


def fields_said(state: State, command: Any, whose: definitions.MaySet) -> tuple[str, ...]:
    """Return the fields marked `whose` that the command sets, other than as the game master's own request does."""
    request_id = command.request if "request" in field_names(type(command)) else None
    request = state.requests.get(request_id or "")
    requested = request.fields if request else {}
    names = []
    for field in definitions.fields_of(type(command)):
        if field.whose is not whose:
            continue
        value = getattr(command, field.name)
        if value != field.default and requested.get(field.name) != plain(value):
            names.append(field.name)
    return tuple(names)


# ---------------------------------------------------------------- deciding


def perform(invocation: Invocation, dice: chance.Dice) -> list[Any]:
    """Run a command: gather its question, play it until it settles or waits, and return the events."""
    question = invocation.question()
    if question is None:
        return list(invocation.action.tell(invocation.call, invocation.command, None))
    check_goes_on(invocation.state)
    check_nobody_decides(invocation)
    played = chance.play(question, dice)
    _set_first_step(dice, question, played, ())
    return _events_of(invocation, question, played, already_rolled=0)


def resume(invocation: Invocation, decision: Decision, dice: chance.Dice, side: str, answer: Any) -> list[Any]:
    """Resume a waiting command with one more answer."""
    try:
        waiting = waiting_of(invocation.book, decision)
    except (RuleHasChanged, chance.ChanceError) as changed:
        return [builtin.DecisionLapsed(act=decision.act, why=str(changed))]
    need = waiting.need
    if side.startswith("w:"):
        return _witnessed(invocation, decision, waiting, dice, side, answer)
    if isinstance(need, chance.EnterDice):
        return _resumed(invocation, decision, waiting, _entered(waiting, answer), {side: answer})
    if isinstance(need, chance.Together):
        offer = next(offer for offer in need.offers if offer.side == side)
        sealed = {**decision.sealed, side: plain(_option(offer, answer))}
        if len(sealed) < len(need.offers):
            return [builtin.AnswerSealed(act=decision.act, side=side, answer=sealed[side], who=decision.sides[side])]
        answers = tuple(_option(offer, sealed[offer.side]) for offer in need.offers)
        played = waiting.resume(dice, answers)
        _set_first_step(dice, waiting.question, played, waiting.record.rolled)
        return _resumed(invocation, decision, waiting, played, sealed)
    assert isinstance(need, chance.Offer)  # noqa: S101 - a wait for a witness is met before any decision
    chosen = _option(need, answer)
    played = waiting.resume(dice, chosen)
    _set_first_step(dice, waiting.question, played, waiting.record.rolled)
    return _resumed(invocation, decision, waiting, played, {side: plain(chosen)})


def _set_first_step(
    dice: chance.Dice,
    question: chance.Question[Any],
    played: Play,
    earlier_dice: Sequence[chance.Rolled],
) -> None:
    """Set the dice that a hidden roll seals: those of its first step. Dice that depend on these come later."""
    if isinstance(dice, Drawing) and dice.sight is not Sight.OPEN:
        dice.first_step = next_dice(question, earlier_dice, played.record.answers)


def _witnessed(
    invocation: Invocation,
    decision: Decision,
    waiting: chance.Waiting[Any],
    dice: chance.Dice,
    side: str,
    answer: Any,
) -> list[Any]:
    """Take a witness's link. The last one lets the dice be thrown."""
    if not isinstance(answer, str) or not is_link(answer):
        raise refusals.NotAnOption("A witness answers with a link of its chain: 64 hex digits.")
    if isinstance(dice, Drawing):
        dice.check_next(side, bytes.fromhex(answer))
    if len(decision.awaited) > 1:
        return [builtin.AnswerSealed(act=decision.act, side=side, answer=answer, who=decision.sides[side])]
    if isinstance(dice, Drawing):
        links = {**decision.sealed, side: answer}
        dice.witnessed = tuple(bytes.fromhex(links[source]) for source in dice.witnesses)
    return _resumed(invocation, decision, waiting, waiting.resume(dice), {})


def is_link(text: str) -> bool:
    return len(text) == LINK_DIGITS and all(sign in "0123456789abcdef" for sign in text)


def _resumed(
    invocation: Invocation,
    decision: Decision,
    waiting: chance.Waiting[Any],
    played: Play,
    answer_by_side: Mapping[str, Any],
) -> list[Any]:
    """Return the events of a waiting command that went on: the answers, then what came of them."""
    who = {side: decision.sides[side] for side in answer_by_side}
    offers = {offer.side: offer.name for offer in offers_in(waiting.need)}
    decided = builtin.Decided(act=decision.act, sides=answer_by_side, who=who, offers=offers)
    already_rolled = len(waiting.record.rolled)
    return [decided, *_events_of(invocation, waiting.question, played, already_rolled, waited=True)]


def waiting_of(book: registry.Book, decision: Decision) -> chance.Waiting[Any]:
    """Rebuild a wait by playing its question again with its recorded dice and answers. Raises `RuleHasChanged`.

    Stored answers are plain values; each is mapped back to an option of its offer.
    """
    question = book.codec.question(decision.question)
    answers: list[Any] = []

    def played_so_far() -> Play:
        recorded = chance.RecordedDice(rolled_from(decision.dice), then=chance.EnteredDice())
        return chance.play(question, recorded, answers)

    for stored in decision.answers:
        played = played_so_far()
        need = played.need if isinstance(played, chance.Waiting) else None
        if isinstance(need, chance.Together):
            pairs = zip(need.offers, stored, strict=True)
            answers.append(tuple(_option(offer, answer) for offer, answer in pairs))
        elif isinstance(need, chance.Offer):
            answers.append(_option(need, stored))
        else:
            raise RuleHasChanged(f"the rule {question.rule.name} asks for other decisions now")
    played = played_so_far()
    if isinstance(played, chance.Settled):
        raise RuleHasChanged(f"the rule {question.rule.name} no longer waits here")
    if dice_of(played.record) != decision.dice:
        raise RuleHasChanged(f"the rule {question.rule.name} makes something else of its dice now")
    return played


def _entered(waiting: chance.Waiting[Any], faces: Any) -> Play:
    """Go on with a play with the faces of dice rolled by hand. Raises `NotAnOption` if they are not what it needs."""
    if not isinstance(faces, (list, tuple)) or not all(type(face) is int for face in faces):
        raise refusals.NotAnOption("The faces of the dice are whole numbers, in the order in which they are asked for.")
    dice = chance.EnteredDice(faces)
    try:
        played = waiting.resume(dice)
    except ValueError as fault:
        raise refusals.NotAnOption(f"That can't be: {fault}.") from fault
    if dice.left:
        raise refusals.NotAnOption(f"{dice.left} faces too many were entered.")
    return played


def _option(offer: chance.Offer[Any], answer: Any) -> Any:
    """Return the option that a plain answer stands for. Raises `NotAnOption`."""
    for option in offer.options:
        plain_option = plain(option)
        if plain_option == answer and type(plain_option) is type(answer):
            return option
    listed = ", ".join(str(plain(option)) for option in offer.options)
    raise refusals.NotAnOption(f"{str(answer)[:40]!r} is not offered; one of {listed} is.")


def offers_in(need: Any) -> tuple[chance.Offer[Any], ...]:
    """Return the offers that a rule waits for, one or several together; none if it waits for dice."""
    if isinstance(need, chance.Together):
        return need.offers
    return (need,) if isinstance(need, chance.Offer) else ()


def _events_of(
    invocation: Invocation,
    question: chance.Question[Any],
    played: Play,
    already_rolled: int,
    *,
    waited: bool = False,
) -> list[Any]:
    """Return the events of a play: the dice that are new, then the result or the decision that is needed.

    `waited` is true if the command went on after a decision.
    """
    asked = invocation.book.codec.asked(question)
    new_dice = dice_of(played.record)[already_rolled:]
    events: list[Any] = []
    if new_dice:
        fields = said(invocation.command) if isinstance(played, chance.Settled) and not waited else {}
        events.append(builtin.Rolled(question=asked, command=invocation.action.name, dice=new_dice, fields=fields))
        if invocation.sight is not Sight.OPEN and not already_rolled:
            events.append(_roll_closed(invocation, new_dice))
    if isinstance(played, chance.Settled):
        events += _told(invocation, played.value, waited=waited)
    else:
        events.append(builtin.DecisionOpened(decision=_decision(invocation, played, asked)))
    return events


def _told(invocation: Invocation, verdict: Any, *, waited: bool) -> list[Any]:
    """Return the events that a command makes of its verdict."""
    try:
        return list(invocation.action.tell(invocation.call, invocation.command, verdict))
    except refusals.Refusal as refusal:
        if not waited:
            raise
        # another roll removed what this one relies on while it waited
        return [builtin.DecisionLapsed(act=invocation.call.fresh, why=refusal.sentence)]


def _roll_closed(invocation: Invocation, dice: Sequence[Die]) -> builtin.RollClosed:
    name = _name_of_closed(invocation, dice)
    return builtin.RollClosed(act=invocation.call.fresh, name=name, opens=invocation.sight is Sight.HIDDEN)


def _name_of_closed(invocation: Invocation, dice: Sequence[Die]) -> str:
    """Name a closed roll by its command, characters and dice: "sneak past: Kira (3 5)"."""
    characters = invocation.state.characters
    names = [characters[who].name for who in _characters(invocation.command) if who in characters]
    command = invocation.action.name.replace("_", " ")
    faces = " ".join(str(die.face) for die in dice[:MOST_FACES_NAMED])
    if len(dice) > MOST_FACES_NAMED:
        faces += " …"
    return f"{command}: {' and '.join(names)} ({faces})" if names else f"{command} ({faces})"


def _decision(invocation: Invocation, waiting: chance.Waiting[Any], asked: Asked) -> Decision:
    need = waiting.need
    sides: Mapping[str, str]
    awaited: tuple[str, ...]
    if isinstance(need, (chance.Offer, chance.Together)):
        sides = invocation.sides()
        awaited = tuple(offer.side for offer in offers_in(need))
    elif isinstance(need, Witnesses):
        sides = {source: seat_of(source) for source in need.sources}
        awaited = need.sources
    else:
        sides = {builtin.BY_HAND: invocation.call.viewer.seat}
        awaited = (builtin.BY_HAND,)
    fields, texts = texts_apart(invocation.command)
    return Decision(
        act=invocation.call.fresh,
        by=invocation.call.viewer.seat,
        command=invocation.action.name,
        fields=fields,
        texts=texts,
        question=asked,
        dice=dice_of(waiting.record),
        answers=tuple(plain(answer) for answer in waiting.record.answers),
        sides=sides,
        awaited=awaited,
        sight=invocation.sight,
        hides=invocation.action.hides(invocation.call, invocation.command),
        by_hand=invocation.by_hand,
    )


# ---------------------------------------------------------------- what follows


def settle(book: registry.Book, history: History, events_told: Sequence[Any]) -> tuple[list[State], list[Any]]:
    """Fold events, with those that reactions add. Returns the state after each event, and all events."""
    state = history.state
    queue = list(reversed(events_told))
    states: list[State] = []
    events: list[Any] = []
    while queue:
        event = queue.pop()
        events.append(event)
        if len(events) > MOST_EVENTS:
            raise RuntimeError("a command brings more than 500 events; reactions feed each other")
        state = history.fold(state, event)
        states.append(state)
        events_of_reactions: list[Any] = []
        for reaction in book.reactions.get(type(event), ()):
            events_of_reactions += reaction.tell(state, event)
        queue.extend(reversed(events_of_reactions))
    return states, events


# ---------------------------------------------------------------- decisions in the way


def check_nobody_decides(invocation: Invocation) -> None:
    """Refuse a roll, before any die falls, if somebody whom it concerns still has to decide something."""
    concerned = set(_characters(invocation.command))
    for decision in invocation.state.decisions.values():
        waiting = convert(decision.said, invocation.book.action(decision.command).command)
        if concerned & {*_characters(waiting), *(decision.sides[side] for side in decision.awaited)}:
            raise refusals.StillDeciding(_who_decides(invocation.state, decision))


def check_undisturbed(book: registry.Book, before: State, after: State) -> None:
    """Refuse a command without dice if it changes the question of a waiting one.

    The price of a rewind may have changed that question already. Then a command that does not change it further is
    allowed.
    """
    for act, decision in after.decisions.items():
        if act not in before.decisions:
            continue
        question_after = _question_in(book, after, decision)
        if question_after == decision.question:
            continue
        if question_after != _question_in(book, before, decision):
            raise refusals.StillDeciding(_who_decides(before, decision))


def _question_in(book: registry.Book, state: State, decision: Decision) -> Asked | None:
    """Return the question that a waiting command would ask in this state; None if it would be refused."""
    action = book.action(decision.command)
    if decision.by not in state.seats or action.gather is None:
        return decision.question
    call = Call(state, state.viewer(decision.by), decision.act, decision.sight)
    try:
        return book.codec.asked(action.gather(call, validation.read(action.command, decision.said)))
    except refusals.Refusal:
        return None


def _characters(command: Any) -> list[str]:
    """Return the characters that a command names in fields for one character, in the order of its fields."""
    characters = []
    for name, kind_of_person in definitions.people_named_by(type(command)).items():
        who = getattr(command, name)
        if kind_of_person == "character" and who is not None:
            characters.append(who)
    return characters


def _who_decides(state: State, decision: Decision) -> str:
    names = []
    for side in decision.awaited:
        who = decision.sides[side]
        person = state.characters.get(who) or state.seats.get(who)
        if person:
            names.append(person.name)
    deciders = " and ".join(names) or "Somebody"
    return f"{deciders} still has to decide ({decision.command.replace('_', ' ')}); that comes first."


# ---------------------------------------------------------------- room on a table

MOST_OF_A_KIND = 1_000
"""Limit on things of one kind on a table: people, scenes, clocks, save nodes."""
MOST_OF_A_PLAYER = 60
"""Limit on things of one kind that one player brought: heroes, notes, proposals, offers."""
MOST_ON_A_SHEET = 200
"""Limit on things of one kind that one character has."""
SEAT_FIELDS = ("author", "by", "seat", "owner")
CHARACTER_FIELDS = ("who", "character", "hero", "target")
"""Fields that name the owner of a thing: a seat, or a character."""


class Growth(NamedTuple):
    """A kind of things of which a command adds some: what the table had before, and has after it."""

    name: str
    before: Mapping[str, Any]
    after: Mapping[str, Any]


def check_room(before: State, after: State, viewer: Viewer) -> None:
    """Refuse a command that adds a thing beyond a limit. Changing or removing things is never refused."""
    for growth in _growths(before, after):
        _check_room_for_kind(growth, viewer)
    if after.characters is not before.characters:
        for character_id, character in after.characters.items():
            earlier = before.characters.get(character_id)
            if earlier is not character:
                _check_room_on_sheet(earlier, character)


def _check_room_for_kind(growth: Growth, viewer: Viewer) -> None:
    label = growth.name.replace("_", " ")
    if len(growth.after) > MOST_OF_A_KIND:
        raise refusals.Refusal(
            f"There are {len(growth.before)} {label} at this table, and no room for more.", code="too_many"
        )
    if viewer.is_game_master:
        return
    own_things = sum(_is_of(thing, viewer) for thing in growth.after.values())
    if own_things > MOST_OF_A_PLAYER:
        raise refusals.Refusal(
            f"You have {own_things - 1} {label} at this table, and there is room for {MOST_OF_A_PLAYER}.",
            code="too_many",
        )


def _check_room_on_sheet(earlier: Character[Any] | None, character: Character[Any]) -> None:
    for name, things in parts_of(character.sheet).items():
        if not isinstance(things, (tuple, Mapping)) or len(things) <= MOST_ON_A_SHEET:
            continue
        earlier_things = getattr(earlier.sheet, name, ()) if earlier else ()
        if len(things) > len(earlier_things):
            number_and_label = f"{len(earlier_things)} {name.replace('_', ' ')}"
            raise refusals.Refusal(f"{character.name} has {number_and_label}, and no room for more.", code="too_many")


def _growths(before: State, after: State) -> Iterator[Growth]:
    """Yield the kinds of things of which there are more after a command, at the table and in the game's own state."""
    yield from _growths_in(parts_of(before), parts_of(after))
    if before.game is not after.game and is_value(type(after.game)):
        yield from _growths_in(parts_of(before.game), parts_of(after.game))


def _growths_in(parts_before: Mapping[str, Any], parts_after: Mapping[str, Any]) -> Iterator[Growth]:
    for name, things in parts_after.items():
        things_before = parts_before.get(name)
        if things_before is things or not isinstance(things, Mapping) or not isinstance(things_before, Mapping):
            continue
        if len(things) > len(things_before):
            yield Growth(name, things_before, things)


def _is_of(thing: Any, viewer: Viewer) -> bool:
    """Return whether a thing is the viewer's: by its seat, or by one of their characters."""
    if any(getattr(thing, name, None) == viewer.seat for name in SEAT_FIELDS):
        return True
    return any(getattr(thing, name, None) in viewer.characters for name in CHARACTER_FIELDS)
