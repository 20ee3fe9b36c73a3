"""Luck: tokens that move a die after it is seen, and how they come back. SS-20 to SS-29, SS-53, SS-65, SS-67."""

from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Annotated, Any, NamedTuple, TypeAlias

from astragal import game
from astragal.chance import Notable, Offer, Rolls, d4, rule
from astragal.game import Chapter, Character, Command, Doing, Fact, Refusal, Seen, Value, meters
from astragal.game.display import RollCard
from astragal.game.fields import CharacterId, Doc, Ge, Label, Le
from astragal.game.rolls import Footing
from astragal.game.shared import Rest

from .harm import Blow
from .options import LuckRest, LuckTarget
from .rolls import LEVEL, Favours, Roll, Score, Stand, Surcharge, simple_test
from .state import ALLY_TOKENS, Call, Sheet, State, token_words

TOKENS = Chapter(seen=Seen.ALL)

HIGHEST_SCORE = 20
SPEND = "luck"
"""Name of the offer to spend Luck."""
FAVOURS = "favours"
"""Name of the offer to let the ally pay, which is made first."""
LETHAL = "lethal stakes"
"""Name of the warning of lethal stakes."""
UNDERSTOOD = "understood"


class Cost(Value, kw_only=False):
    """SS-25: cost of a spend: tokens now, and the chance of Luck tests before and after it, in percent."""

    tokens: int
    """The roller's own tokens, surcharge included."""
    left: int
    luck_before: int
    luck_after: int
    surcharge: int = 0
    favours: int = 0


class Prospect(NamedTuple):
    """SS-25: result of a spend. Fields that do not apply or can't be known are None."""

    success: bool
    margin: int
    wins: bool | None = None
    soak_left: int | None = None
    damage: int | None = None
    answer: int | None = None
    """SS-23: tokens with which the defence could undo it; 0 if it can't."""
    before_the_answer: bool = False
    """SS-23: true if the defence may still answer, for a price that can't be known."""
    holds_up_to: int | None = None
    """SS-23: the greatest margin of an attack that this defence withstands, if the attack's own is hidden."""
    wins_up_to: int | None = None
    """SS-23: the highest score of a defence that this attack beats, if that score is hidden but its die is seen."""


class Answer(NamedTuple):
    """SS-23: means of the defence to answer an attack that wins."""

    margin: int
    """The margin of the defence now."""
    room: int
    """Distance that its die could come down."""
    tokens: int
    favours: int = 0
    surcharge: int = 0

    def beyond(self, favours: int) -> int:
        """The least margin that it can't answer, of an attack that used up this many favours."""
        favours_left = max(0, self.favours - favours)
        tokens = self.tokens + favours_left - self.surcharge
        distance = max(0, min(self.room, tokens))
        return self.margin + distance + 1

    def price(self, margin: int, favours: int = 0) -> int:
        """Tokens that it takes to withstand this margin; 0 if it can't."""
        if margin >= self.beyond(favours):
            return 0
        return margin - self.margin + self.surcharge


class Stakes(NamedTuple):
    """SS-25: possible gains of a spend."""

    lacking: int
    """Distance that the die would have to come down to succeed, or to win; 0 if it does already."""
    wins: bool | None = None
    """True if that wins; None if it is only a success, or the winner can't be known."""
    blow: Blow | None = None
    """The attacker's blow, which says what a hit does."""
    answer: Answer | None = None
    """The defence's possible answer, if it has one and its numbers are known."""
    before_the_answer: bool = False
    against_unseen: bool = False
    """True for a defence against an attack whose margin is hidden."""
    unseen_die: int | None = None
    """Die of a defence that succeeded, if its score is hidden."""

    def at(self, margin: int, favours: int = 0) -> Prospect:
        """Result of a margin that lacks nothing."""
        wins_up_to = None
        if self.unseen_die:
            wins_up_to = min(HIGHEST_SCORE, self.unseen_die + margin - 1)
        return Prospect(
            success=True,
            margin=margin,
            wins=self.wins,
            soak_left=self.blow.soak_left(margin) if self.blow else None,
            damage=self.blow.damage(margin) if self.blow else None,
            answer=self.answer.price(margin, favours) if self.answer else None,
            before_the_answer=self.before_the_answer,
            holds_up_to=margin if self.against_unseen else None,
            wins_up_to=wins_up_to,
        )

    def turns(self, margin: int, favours: int) -> Iterator[int]:
        """Distances that a die with this margin has to come down, one for each thing that could change."""
        yield self.lacking
        if self.blow:
            for turning_margin in self.blow.turns:
                yield turning_margin - margin
        if self.answer:
            yield max(1, self.answer.beyond(favours) - margin)

    def is_contested(self, margin: int) -> bool:
        """SS-23: true if the roll wins now, but the defence could still answer. Only a deeper margin prevents that."""
        return not self.lacking and self.answer is not None and self.answer.price(margin) > 0


# ---------------------------------------------------------------- what may be spent


def nudges(roll: Roll, tokens: int) -> tuple[int, ...]:
    """SS-21: every legal nudge: none, then towards 1, then towards 20. Naturals are locked."""
    if roll.is_locked:
        return (0,)
    farthest_down = min(tokens, roll.natural - 1)
    farthest_up = min(tokens, 20 - roll.natural)
    down = range(-1, -farthest_down - 1, -1)
    up = range(1, farthest_up + 1)
    return (0, *down, *up)


def cost(nudge: int, stand: Stand, favours: int) -> Cost:
    """SS-20, SS-25, SS-53: cost of a nudge. Later Luck tests are against the tokens that are left."""
    tokens = nudge + stand.surcharge - favours
    left = stand.luck - tokens
    return Cost(
        tokens=tokens,
        left=left,
        luck_before=luck_percent(stand.luck),
        luck_after=luck_percent(left),
        surcharge=stand.surcharge,
        favours=favours,
    )


def luck_percent(tokens: int) -> int:
    """Chance of a straight Luck test in percent: 5 for each face that succeeds. A 1 always does, a 20 never."""
    return 5 * min(19, max(1, tokens))


Spends: TypeAlias = tuple[Notable[int], ...]


def reach(roll: Roll, stand: Stand, favours: int) -> range:
    """SS-21, SS-53, SS-67: distances that the die can be moved down while using up this many favours."""
    paid_by_ally = favours - stand.surcharge
    nearest = max(1, paid_by_ally)
    farthest = min(stand.luck + paid_by_ally, roll.natural - 1)
    return range(nearest, farthest + 1)


def spends(roll: Roll, stand: Stand, stakes: Stakes, favours: int) -> Spends:
    """SS-25: the fewest tokens that bring what is lacking, then those that do more damage, if they are held; and SS-23:
    those after which the defence can't answer.

    A deeper margin alone changes nothing. Neither does a success that still loses, nor less soak for the same damage.
    """
    within_reach = reach(roll, stand, favours)
    least = max(1, stakes.lacking)
    distances = set()
    for distance in stakes.turns(roll.margin, favours):
        if distance >= least:
            distances.add(max(distance, within_reach.start))

    notable = []
    previous = None if stakes.lacking else stakes.at(roll.margin)
    for nudge in sorted(distances):
        if nudge not in within_reach:
            break
        prospect = stakes.at(roll.margin + nudge, favours)
        if previous is None or brings_change(prospect, previous):
            notable.append(Notable(-nudge, cost(nudge, stand, favours), prospect))
            previous = prospect
    return tuple(notable)


def brings_change(prospect: Prospect, previous: Prospect) -> bool:
    """SS-23, SS-25: true if it does other damage, or differs in whether the defence can answer."""
    if prospect.damage != previous.damage:
        return True
    return (prospect.answer == 0) != (previous.answer == 0)


def decided(side: str, roll: Roll, stand: Stand, stakes: Stakes) -> Rolls[Roll]:
    """SS-25: ask the roller to spend Luck, if that changes anything or they want to be asked anyway. SS-23: a roller
    who is ahead is asked too, as long as the defence could answer.
    """
    is_within_means = stakes.lacking <= stand.most
    if roll.is_locked or not (is_within_means or stand.always_asked):
        return roll
    is_asked = stand.always_asked or stakes.is_contested(roll.margin)
    favours = 0
    if stand.favours:
        favours = yield from favours_called_in(side, roll, stand, stakes, is_asked=is_asked)
    offer = spending(side, stakes, roll, stand, favours)
    nudge = offer.default
    if len(offer.options) > 1 and (offer.notable or favours or is_asked):
        nudge = yield from offer
    return roll.nudged(nudge, stand.surcharge, favours)


def favours_called_in(side: str, roll: Roll, stand: Stand, stakes: Stakes, *, is_asked: bool) -> Rolls[int]:
    """SS-67: with an ally, the roller first decides how many of its tokens pay; each choice shows the first spend that
    it opens.
    """
    payable = [favours for favours in range(1, stand.favours + 1) if reach(roll, stand, favours)]
    notable = []
    for favours in payable:
        opened = spends(roll, stand, stakes, favours)
        if opened:
            notable.append(Notable(favours, opened[0].price, opened[0].result))
    if not payable or not (notable or is_asked):
        return 0
    return (yield from Offer(side, FAVOURS, (0, *payable), tuple(notable)))


@lru_cache(maxsize=1024)
def spending(side: str, stakes: Stakes, roll: Roll, stand: Stand, favours: int) -> Offer[int]:
    """The offer to spend. SS-67: an ally's tokens only move the die down.

    Cached: exact odds meet the same few offers thousands of times. It depends on its arguments alone, so only newer
    offers push older ones out.
    """
    if favours:
        answers = tuple(-nudge for nudge in reach(roll, stand, favours))
    else:
        answers = nudges(roll, stand.luck - stand.surcharge)
    return Offer(side, SPEND, answers, spends(roll, stand, stakes, favours))


def warning(side: str) -> Rolls[str]:
    """SS-41: warn a side of lethal stakes before any die falls."""
    return (yield from Offer(side, LETHAL, (UNDERSTOOD,)))


def spend_to_win(offer: Offer[Any]) -> Any:
    """Policy: the acting side takes the cheapest spend that changes something; the defence spends nothing."""
    if offer.name == SPEND and offer.side != "defender" and offer.notable:
        return offer.notable[0].answer
    return offer.default


def spend_to_succeed(offer: Offer[Any]) -> Any:
    """Policy: take the cheapest spend that changes something and can't be undone, and ask no favours."""
    if offer.name != SPEND:
        return offer.default
    for notable in offer.notable:
        if isinstance(notable.result, Prospect) and not notable.result.answer:
            return notable.answer
    return offer.default


# ---------------------------------------------------------------- the rules


@rule
def nudged_test(
    score: Score,
    stand: Stand = LEVEL,
    lethal: Annotated[bool, Doc("whether life is at stake, so that the roller is warned first")] = False,
) -> Rolls[Roll]:
    """SS-21, SS-25: a test whose roller may then spend Luck on the die."""
    if lethal:
        yield from warning("who")
    roll = yield from simple_test(score, stand.footing)
    return (yield from decided("who", roll, stand, Stakes(roll.lacking)))


def luck_stand(tokens: int, stance: Footing, target: LuckTarget, surcharge: int, favours: int) -> Stand:
    """SS-24: stand of a Luck test. Tokens can be spent on it only if its target is frozen."""
    if target is LuckTarget.LIVE:
        return Stand(stance)
    return Stand(stance, tokens, surcharge=surcharge, favours=favours)


@rule
def luck_test(
    tokens: Annotated[int, Ge(0), Le(20), Doc("Luck tokens now held, the score of the test")],
    stance: Annotated[Footing, Doc("one die, or which of two is kept")] = Footing.LEVEL,
    target: Annotated[LuckTarget, Doc("what is rolled against while tokens are spent")] = LuckTarget.LIVE,
    lethal: Annotated[bool, Doc("whether life is at stake, so that the roller is warned first")] = False,
    *,
    surcharge: Surcharge = 0,
    favours: Favours = 0,
) -> Rolls[Roll]:
    """SS-20, SS-24: roll against the tokens held. They can be spent on the roll only if the target is frozen.

    SS-29: with lethal stakes the custodian is reminded first that bad luck should sting, not kill.
    """
    if lethal:
        yield from warning("custodian")
    stand = luck_stand(tokens, stance, target, surcharge, favours)
    return (yield from nudged_test(tokens, stand, lethal))


WITH_LUCK = {"with Luck": spend_to_succeed}
"""A further policy for previews: the roller takes the cheapest spend that changes something."""


def luck_after(price: Callable[[Any], int]) -> game.SpendAfter:
    """SS-21: the chance of a roll by the tokens that would be spent on it. `price` reads them off a verdict."""
    return game.SpendAfter("luck", spend_to_win, price)


def rest_gives_luck(state: State, who: Character[Sheet], rest: Rest) -> int:
    """SS-26, SS-31: a rest gives a token, care does not. SS-28: only heroes gain tokens by resting."""
    if state.options.luck_rest is LuckRest.SHORT:
        is_enough = rest in (Rest.SHORT, Rest.LONG)
    else:
        is_enough = rest is Rest.LONG
    return int(is_enough and state.game.rest_gives_luck and who.sheet.is_hero)


LUCK = meters.Meter(
    "luck",
    most=lambda sheet: sheet.luck_most,
    seen=Seen.ALL,
    loses="spends",
    counted=token_words,
    rest=rest_gives_luck,
    override="tokens held, past the pool’s size too",
    limit=20,
)
"""SS-20, SS-26: tokens, never more than the pool's size. SS-65: a rewind may cost them."""

ALLY = meters.Meter("favours", lambda _: ALLY_TOKENS, Seen.ALL, loses="spends", counted=token_words, holder="ally")
"""SS-67: the ally's tokens, which the whole party shares."""


def spent_by(state: State, *rolls: tuple[str, Roll | None]) -> list[meters.Lost]:
    """SS-21, SS-67: tokens that rolls cost their rollers, and the ally whom they may share."""
    losses: list[meters.Lost] = []
    favours = 0
    helped = []
    for who, roll in rolls:
        if roll is None:
            continue
        roller = state.find(who)
        losses += LUCK.lost(roller, roll.spent)
        favours += roll.favours
        if roll.favours:
            helped.append(roller.name)
    return [*losses, *ALLY.lost(state, favours, f"for {' and '.join(helped)}")]


# ---------------------------------------------------------------- spent and gained at the table


@TOKENS.command("grant_luck")
class GrantLuck(meters.Gain):
    """Give tokens, up to the size of the pool."""

    meter = LUCK


class Blessing(NamedTuple):
    """The face rolled, and the tokens that the pool had room for."""

    face: int
    gained: int


@rule
def blessing(room: Annotated[int, Ge(0), Le(20), Doc("tokens that the pool still has room for")]) -> Rolls[Blessing]:
    """SS-26: 1d4 tokens, never past the pool's size."""
    face = yield from d4
    return Blessing(face, min(face, room))


def find_with_room(call: Call, who: str) -> Character[Sheet]:
    """Find a character whose pool is not full."""
    character = call.state.find(who)
    if not LUCK.room(character.sheet):
        raise Refusal(f"{character.name} holds {character.sheet.luck} tokens already; the pool is full.", code="full")
    return character


@TOKENS.command(
    "bless",
    outcome=lambda blessed: blessed.gained,
    card=RollCard(title="{who} is blessed", short="A blessing", verb="Bless"),
)
class Bless(Command):
    """Give 1d4 tokens, up to the size of the pool."""

    who: Annotated[CharacterId, Doc("who is blessed")]

    def does(self, call: Call) -> Doing[Blessing]:
        who = find_with_room(call, self.who)
        room = LUCK.room(who.sheet)
        blessed = yield blessing(room)
        return LUCK.gained(who, blessed.gained, "a blessing")

    def hides(self, call: Call) -> bool:
        """Hide a closed character's pool: its room and its tokens, which everyone sees, add up to the Luck score."""
        return call.state.find(self.who).sheet.is_closed


def refilled(who: Character[Sheet]) -> list[meters.Gained]:
    """SS-27: a milestone fills the pool. Tokens past its size, by override, stay."""
    return LUCK.gained(who, who.sheet.luck_most, "the pool is full again")


@TOKENS.command("refill_luck")
class RefillLuck(Command):
    """Fill a pool, as a milestone does."""

    who: Annotated[CharacterId, Doc("whose pool")]

    def does(self, call: Call) -> list[meters.Gained]:
        return refilled(find_with_room(call, self.who))


@TOKENS.fact(
    "luck_from_rest",
    title="Let rests give Luck",
    told="luck_from_rest_settled",
    says="rest {given:gives|gives no} {luck} from now on",
)
class LuckFromRest(Fact):
    """Say whether rests give tokens for the time being."""

    given: Annotated[bool, Label("rests give tokens")]

    def fold(self, state: State) -> State:
        return state.with_game(rest_gives_luck=self.given)
