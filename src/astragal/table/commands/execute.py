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
from astragal.table.state.table import Asked, Decision, Die, State
from astragal.table.visibility.redact import plain

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
        named = {name: getattr(self.command, name) for name in definitions.people_named_by(type(self.command))}
        return {name: who for name, who in named.items() if isinstance(who, str)}


# ---------------------------------------------------------------- rights


def allow(state: State, viewer: Viewer, command: Any) -> None:
    """Authorize a command by the viewer's role, the acting character and the fields set. The default is to refuse."""
    kind = kind_of_command(type(command))
    kind.check_role(viewer)
    if kind.may[viewer.role] is Scope.OWN and (
        kind.actor is None or getattr(command, kind.actor) not in viewer.characters
    ):
        raise refusals.NotYours("That character is somebody else's.")
    if not viewer.is_game_master and (foreign := fields_said(state, command, definitions.MaySet.GAME_MASTER)):
        raise refusals.NotAllowed(f"Only the game master can set that ({foreign[0].replace('_', ' ')}).")


def said(command: Any) -> dict[str, Any]:
    """Return the fields of a command that differ from their defaults, with `SOME_TEXT` in place of free text."""
    told = ((field, getattr(command, field.name)) for field in definitions.fields_of(type(command)))
    return {
        field.name: SOME_TEXT if field.is_free_text else plain(value) for field, value in told if value != field.default
    }


def texts_apart(command: Any) -> tuple[dict[str, Any], dict[str, str]]:
    """Split a command that has to wait into fields and free text, which is stored apart so that it can be blanked."""
    fields = plain(command)
    free = [
        one.name
        for one in definitions.fields_of(type(command))
        if one.is_free_text and isinstance(fields[one.name], str)
    ]
    return fields, {name: fields.pop(name) for name in free}


def fields_said(state: State, command: Any, whose: definitions.MaySet) -> tuple[str, ...]:
    """Return the fields marked `whose` that the command sets, other than as the game master's own request does."""
    request_id = command.request if "request" in field_names(type(command)) else None
    request = state.requests.get(request_id or "")
    asked = request.fields if request else {}
    return tuple(
        field.name
        for field in definitions.fields_of(type(command))
        if field.whose is whose
        and (said := getattr(command, field.name)) != field.default
        and asked.get(field.name) != plain(said)
    )


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
    return _events_of(invocation, question, played, shown=0)


def resume(invocation: Invocation, decision: Decision, dice: chance.Dice, side: str, answer: Any) -> list[Any]:
    """Resume a waiting command with one more answer."""
    try:
        waiting = waiting_of(invocation.book, decision)
    except (RuleHasChanged, chance.ChanceError) as changed:
        return [builtin.DecisionLapsed(act=decision.act, why=str(changed))]
    need = waiting.need
    if side.startswith("w:"):
        return _witnessed(invocation, decision, waiting, dice, {side: answer})
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
    played: chance.Settled[Any] | chance.Waiting[Any],
    before: Sequence[chance.Rolled],
) -> None:
    """Set the dice that a hidden roll seals: those of its first step. Dice that depend on these come later."""
    if isinstance(dice, Drawing) and dice.sight is not Sight.OPEN:
        dice.first_step = next_dice(question, before, played.record.answers)


def _witnessed(
    invocation: Invocation,
    decision: Decision,
    waiting: chance.Waiting[Any],
    dice: chance.Dice,
    given: Mapping[str, Any],
) -> list[Any]:
    """Take a witness's link. The last one lets the dice be thrown."""
    ((side, answer),) = given.items()
    if not isinstance(answer, str) or not is_link(answer):
        raise refusals.NotAnOption("A witness answers with a link of its chain: 64 hex digits.")
    if isinstance(dice, Drawing):
        dice.check_next(side, bytes.fromhex(answer))
    if len(decision.awaited) > 1:
        return [builtin.AnswerSealed(act=decision.act, side=side, answer=answer, who=decision.sides[side])]
    if isinstance(dice, Drawing):
        links = {**decision.sealed, **given}
        dice.witnessed = tuple(bytes.fromhex(links[src]) for src in dice.witnesses)
    return _resumed(invocation, decision, waiting, waiting.resume(dice), {})


def is_link(text: str) -> bool:
    return len(text) == LINK_DIGITS and all(sign in "0123456789abcdef" for sign in text)


def _resumed(
    invocation: Invocation,
    decision: Decision,
    waiting: chance.Waiting[Any],
    played: chance.Settled[Any] | chance.Waiting[Any],
    sides: Mapping[str, Any],
) -> list[Any]:
    who = {side: decision.sides[side] for side in sides}
    offers = {offer.side: offer.name for offer in offers_in(waiting.need)}
    decided = builtin.Decided(act=decision.act, sides=sides, who=who, offers=offers)
    shown = len(waiting.record.rolled)
    return [decided, *_events_of(invocation, waiting.question, played, shown, waited=True)]


def waiting_of(book: registry.Book, decision: Decision) -> chance.Waiting[Any]:
    """Rebuild a wait by playing its question again with its recorded dice and answers. Raises `RuleHasChanged`.

    Stored answers are plain values; each is mapped back to an option of its offer.
    """
    question, answers = book.codec.question(decision.question), list[Any]()

    def played_so_far() -> chance.Settled[Any] | chance.Waiting[Any]:
        return chance.play(
            question, chance.RecordedDice(rolled_from(decision.dice), then=chance.EnteredDice()), answers
        )

    for stored in decision.answers:
        played = played_so_far()
        need = played.need if isinstance(played, chance.Waiting) else None
        if isinstance(need, chance.Together):
            answers.append(tuple(_option(offer, one) for offer, one in zip(need.offers, stored, strict=True)))
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


def _entered(waiting: chance.Waiting[Any], faces: Any) -> chance.Settled[Any] | chance.Waiting[Any]:
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
        if plain(option) == answer and type(plain(option)) is type(answer):
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
    played: chance.Settled[Any] | chance.Waiting[Any],
    shown: int,
    *,
    waited: bool = False,
) -> list[Any]:
    """Return the events of a play: the dice after the first `shown`, then the result or the decision that is needed."""
    asked = invocation.book.codec.asked(question)
    events: list[Any] = []
    if len(played.record.rolled) > shown:
        dice = dice_of(played.record)[shown:]
        fields = said(invocation.command) if isinstance(played, chance.Settled) and not waited else {}
        events.append(builtin.Rolled(question=asked, command=invocation.action.name, dice=dice, fields=fields))
        if invocation.sight is not Sight.OPEN and not shown:
            opens = invocation.sight is Sight.HIDDEN
            events.append(
                builtin.RollClosed(act=invocation.call.fresh, name=_name_of_closed(invocation, dice), opens=opens)
            )
    if isinstance(played, chance.Settled):
        try:
            return [*events, *invocation.action.tell(invocation.call, invocation.command, played.value)]
        except refusals.Refusal as overtaken:  # another roll removed what this one relies on while it waited
            if not waited:
                raise
            return [*events, builtin.DecisionLapsed(act=invocation.call.fresh, why=overtaken.sentence)]
    return [*events, builtin.DecisionOpened(decision=_decision(invocation, played, asked))]


def _name_of_closed(invocation: Invocation, dice: Sequence[Die]) -> str:
    """Name a closed roll by its command, characters and dice: "sneak past: Kira (3 5)"."""
    characters = invocation.state.characters
    who = " and ".join(characters[one].name for one in _characters(invocation.command) if one in characters)
    faces = " ".join(str(die.face) for die in dice[:MOST_FACES_NAMED])
    more = " …" if len(dice) > MOST_FACES_NAMED else ""
    return f"{invocation.action.name.replace('_', ' ')}{f': {who}' if who else ''} ({faces}{more})"


def _decision(invocation: Invocation, waiting: chance.Waiting[Any], asked: Asked) -> Decision:
    sides: Mapping[str, str] = {builtin.BY_HAND: invocation.call.viewer.seat}
    awaited: tuple[str, ...] = (builtin.BY_HAND,)
    if isinstance(waiting.need, chance.Offer):
        sides, awaited = invocation.sides(), (waiting.need.side,)
    elif isinstance(waiting.need, chance.Together):
        sides, awaited = invocation.sides(), tuple(offer.side for offer in waiting.need.offers)
    elif isinstance(waiting.need, Witnesses):
        sides = {src: seat_of(src) for src in waiting.need.sources}
        awaited = waiting.need.sources
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


def settle(book: registry.Book, history: History, told: Sequence[Any]) -> tuple[list[State], list[Any]]:
    """Fold events, with those that reactions add. Returns the state after each event, and all events."""
    state, queue = history.state, list(reversed(told))
    states: list[State] = []
    events: list[Any] = []
    while queue:
        happened = queue.pop()
        events.append(happened)
        if len(events) > MOST_EVENTS:
            raise RuntimeError("a command brings more than 500 events; reactions feed each other")
        state = history.fold(state, happened)
        states.append(state)
        if reactions := book.reactions.get(type(happened)):
            brought = [event for reaction in reactions for event in reaction.tell(state, happened)]
            queue.extend(reversed(brought))
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
        if act not in before.decisions or (asks := _asks_now(book, after, decision)) == decision.question:
            continue
        if asks != _asks_now(book, before, decision):
            raise refusals.StillDeciding(_who_decides(before, decision))


def _asks_now(book: registry.Book, state: State, decision: Decision) -> Asked | None:
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
    people = definitions.people_named_by(type(command)).items()
    named = [getattr(command, name) for name, what in people if what == "character"]
    return [who for who in named if who is not None]


def _who_decides(state: State, decision: Decision) -> str:
    who = [decision.sides[side] for side in decision.awaited]
    found = [state.characters.get(one) or state.seats.get(one) for one in who]
    names = " and ".join(one.name for one in found if one)
    return f"{names or 'Somebody'} still has to decide ({decision.command.replace('_', ' ')}); that comes first."


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


def check_room(before: State, after: State, viewer: Viewer) -> None:
    """Refuse a command that adds a thing beyond a limit. Changing or removing things is never refused."""
    for name, was, now in _grown(before, after):
        label = name.replace("_", " ")
        if len(now) > MOST_OF_A_KIND:
            raise refusals.Refusal(
                f"There are {len(was)} {label} at this table, and no room for more.", code="too_many"
            )
        if not viewer.is_game_master:
            own = sum(_is_of(thing, viewer) for thing in now.values())
            if own > MOST_OF_A_PLAYER:
                raise refusals.Refusal(
                    f"You have {own - 1} {label} at this table, and there is room for {MOST_OF_A_PLAYER}.",
                    code="too_many",
                )
    for who, character in after.characters.items() if after.characters is not before.characters else ():
        if (earlier := before.characters.get(who)) is character:
            continue
        for part, have in parts_of(character.sheet).items():
            if isinstance(have, (tuple, Mapping)) and len(have) > MOST_ON_A_SHEET:
                had = getattr(earlier.sheet, part, ()) if earlier else ()
                if len(have) > len(had):
                    words = f"{len(had)} {part.replace('_', ' ')}"
                    raise refusals.Refusal(f"{character.name} has {words}, and no room for more.", code="too_many")


def _grown(before: State, after: State) -> Iterator[tuple[str, Mapping[str, Any], Mapping[str, Any]]]:
    """Yield the kinds of things of which there are more now: name, things before, things after."""
    pairs = [(parts_of(before), parts_of(after))]
    if before.game is not after.game and is_value(type(after.game)):
        pairs.append((parts_of(before.game), parts_of(after.game)))
    for earlier, later in pairs:
        for name, now in later.items():
            was = earlier.get(name)
            if was is not now and isinstance(now, Mapping) and isinstance(was, Mapping) and len(now) > len(was):
                yield name, was, now


def _is_of(thing: Any, viewer: Viewer) -> bool:
    return any(getattr(thing, name, None) == viewer.seat for name in SEAT_FIELDS) or any(
        getattr(thing, name, None) in viewer.characters for name in CHARACTER_FIELDS
    )
