"""Tests: one d20 against a score, who rolls it, what helps and hinders, and how the roll is shown.

SS-01 to SS-06, SS-30, SS-40, SS-42, SS-54 to SS-56, SS-68, SS+05.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import Enum
from typing import Annotated, Any, NamedTuple, TypeAlias

from astragal.chance import Rolls, d20, rule
from astragal.game import WITHHELD, Character, NotAllowed, Refusal, Seen, Sight, Teller, Value, copied_into
from astragal.game.display import Tone, Went, signed
from astragal.game.fields import Doc, Ge, Le, Usual
from astragal.game.rolls import Advantage, Disadvantage, Footing, Ground, ended_by_roll
from astragal.game.shared import Condition, ConditionEnded, conditions_on

from .options import Companion, LuckTarget, Manner, Options
from .pressure import FOR_FOES, FROM_EVENING, OUT_OF_CONTROL, surcharge
from .state import Call, Sheet, State

Score: TypeAlias = Annotated[int, Ge(0), Le(20), Usual(4, 16), Doc("what the die has to stay at or under")]
"""SS+03: scores that players do not know usually lie between 4, the worst of the lowest tier, and 16."""

Tokens: TypeAlias = Annotated[int, Ge(0), Le(20), Doc("Luck tokens that may be spent on this roll")]
Surcharge: TypeAlias = Annotated[int, Ge(0), Le(1), Doc("what a decision to spend costs on top (SS-53)")]
Favours: TypeAlias = Annotated[int, Ge(0), Le(3), Doc("tokens of the ally that may be spent too (SS-67)")]


class Degree(Enum):
    """Outcome of a roll."""

    EXTRAORDINARY = "extraordinary success"
    SUCCESS = "success"
    FAILURE = "failure"
    CATASTROPHE = "catastrophe"

    @property
    def is_success(self) -> bool:
        return self in (Degree.EXTRAORDINARY, Degree.SUCCESS)


DEEPEST = 20


class Roll(NamedTuple):
    """The kept die, its score, how far Luck moved it and who paid. A tuple, since odds count them by the hundred."""

    natural: int
    score: int
    nudge: int = 0
    surcharge: int = 0
    """SS-53: extra cost of the decision to move it."""
    favours: int = 0
    """SS-67: tokens of the ally among those that paid."""

    @property
    def die(self) -> int:
        return self.natural + self.nudge

    @property
    def margin(self) -> int:
        """SS-03: the score minus the die, below 0 for a failure."""
        return self.score - self.natural - self.nudge

    @property
    def depth(self) -> int:
        """SS-36: depth of an attack: its own margin. A natural 1 goes through everything."""
        return DEEPEST if self.natural == 1 else self.margin

    @property
    def lacking(self) -> int:
        """Distance that the die would have to come down to reach the score."""
        return max(0, -self.margin)

    @property
    def is_locked(self) -> bool:
        """SS-06, SS-21, SS-22: true for a natural 1 or 20, which stays what it is. A die moved there is not natural."""
        return self.natural in (1, 20)

    @property
    def success(self) -> bool:
        """SS-01, SS-02: at or under the score; a natural 1 always, a natural 20 never."""
        return self.natural == 1 or (self.natural != 20 and self.die <= self.score)

    @property
    def success_margin(self) -> int | None:
        """SS-07: margin of a success, to compare with the other side's. A failure has none, however near it was."""
        if not self.success:
            return None
        return self.margin

    @property
    def degree(self) -> Degree:
        if self.natural == 1:
            return Degree.EXTRAORDINARY
        if self.natural == 20:
            return Degree.CATASTROPHE
        if self.success:
            return Degree.SUCCESS
        return Degree.FAILURE

    @property
    def spent(self) -> int:
        """SS-21, SS-53: the roller's own tokens: one for each point the die was moved, and the surcharge."""
        return abs(self.nudge) + self.surcharge - self.favours

    def nudged(self, nudge: int, surcharge: int, favours: int) -> Roll:
        """The roll after a decision; one that moves nothing costs nothing."""
        if not nudge:
            return self
        return Roll(self.natural, self.score, nudge, surcharge, favours)


@rule
def simple_test(
    score: Score, stance: Annotated[Footing, Doc("one die, or which of two is kept")] = Footing.LEVEL
) -> Rolls[Roll]:
    """SS-01: one d20 against a score, before any Luck."""
    natural = yield from stance.die(d20, low=True)  # SS-04: advantage keeps the lower of two dice
    return Roll(natural, score)


class Stand(Value, kw_only=False):
    """Everything that a roller brings to a roll besides the score."""

    footing: Annotated[Footing, Doc("one die, or which of two is kept")] = Footing.LEVEL
    luck: Tokens = 0
    closed: Annotated[bool, Doc("whether the other side can't see this roll's numbers")] = False
    always_asked: Annotated[bool, Doc("whether to stop for Luck even where no spend changes anything")] = False
    surcharge: Surcharge = 0
    favours: Favours = 0

    @property
    def most(self) -> int:
        """SS-53, SS-67: the farthest that the die could be moved, with all available tokens."""
        return self.luck + self.favours - self.surcharge

    @property
    def can_spend(self) -> bool:
        """SS-53: true if a spend can be paid, surcharge included. Otherwise none is offered."""
        return self.most > 0


LEVEL = Stand()

IN_A_RITE = "in_a_rite"
"""SS-56: mark of a hero in a rite, who does nothing else."""


def is_marked(state: State, who: str, mark: str) -> bool:
    return any(condition.numbers.get(mark, 0) > 0 for condition in conditions_on(state, who))


# ---------------------------------------------------------------- who can act, and who decides for them


def check_able(who: Character[Sheet], *, on_luck: bool) -> None:
    """SS-30: the collapsed make Luck tests only; the dead make none."""
    who.check_lives()
    if who.sheet.is_collapsed and not on_luck:
        raise Refusal(f"{who.name} has collapsed and can only test Luck.", code="collapsed")


def check_no_crisis(state: State) -> None:
    """SS-54, SS-65: refuse anything else while a crisis is due."""
    if state.game.crises_due:
        raise Refusal(f"{state.terms['pressure']} has come to its crisis; that comes first.", code="crisis_due")


def check_acts(call: Call, who: Character[Sheet], *, on_luck: bool = False) -> None:
    """SS-30, SS-54 to SS-56: check that a character can act, and that no crisis comes first."""
    check_able(who, on_luck=on_luck)
    check_no_crisis(call.state)
    if is_marked(call.state, who.id, OUT_OF_CONTROL) and not call.viewer.is_game_master:
        raise NotAllowed(f"{who.name} is out of control: the game master says what happens until the scene ends.")
    if is_marked(call.state, who.id, IN_A_RITE) and not on_luck:
        raise Refusal(f"{who.name} spends this session in a rite.", code="in_a_rite")


def deciders(state: State, **sides: str) -> Mapping[str, str]:
    """SS-55: deciders for each side: its player, or the custodian while the character is out of control."""
    decider_by_side = {}
    for side, who in sides.items():
        decider_by_side[side] = state.game_master if is_marked(state, who, OUT_OF_CONTROL) else who
    return decider_by_side


# ---------------------------------------------------------------- what helps and hinders

USUAL = {"flanking": Footing.ADVANTAGE, "blind": Footing.DISADVANTAGE}
"""SS-42: circumstances that anyone may name. Only the custodian can give others."""

SOLID_COVER = "solid cover"
MORE = {**USUAL, SOLID_COVER: Footing.ADVANTAGE, "high ground": Footing.ADVANTAGE}
"""SS+05: circumstances that anyone may name, where the table plays with further ones."""

OVERLOADED = "overloaded"
WORN = "worn out"
LITTLE_STAMINA = 2


def bearing_on(state: State, who: Character[Sheet]) -> list[Condition]:
    """Conditions that count for a character's rolls now."""
    conditions = []
    for condition in conditions_on(state, who.id):
        has_begun = condition.numbers.get(FROM_EVENING, 0) <= state.calendar.evening
        is_for_foes = bool(condition.numbers.get(FOR_FOES, 0))
        if has_begun and not (is_for_foes and who.sheet.is_hero):
            conditions.append(condition)
    return conditions


def hampers(options: Options, sheet: Sheet, key: str) -> Iterator[str]:
    """SS-40, SS+05: hindrances of an attribute from the character's own load and Stamina."""
    if key == options.agility and sheet.load > options.carry_limit:
        yield OVERLOADED
    if is_physical(options, key) and is_worn(options, sheet.stamina):
        yield WORN


def is_physical(options: Options, key: str) -> bool:
    """SS+05: true for force and agility."""
    return key in (Manner.HEAVY.usual(options), options.agility)


def is_worn(options: Options, stamina: int) -> bool:
    """SS+05: true if Stamina is low enough to hamper the body, where the table plays so."""
    return options.plays(Companion.CIRCUMSTANCES) and stamina <= LITTLE_STAMINA


def used_up(state: State, *rollers: str) -> list[ConditionEnded]:
    """SS-55, SS-67: end help that was given for the next roll only."""
    conditions: list[Condition] = []
    for who in rollers:
        conditions += bearing_on(state, state.characters[who])
    return ended_by_roll(conditions)


# ---------------------------------------------------------------- a roll as it is shown


class Numbers(Value, seen=Seen.ALL):
    """Score and margin of a roll, and what the margin of a hit did to soak and damage."""

    score: int
    margin: int
    soak_left: int | None = None
    bonus: int | None = None


class ShownRoll(Value, seen=Seen.ALL):
    """SS-03, SS-04, SS-68: a roll with its nudge. Its numbers are open, or closed to all but the roller's player."""

    who: str
    attribute: str
    footing: Footing
    because: tuple[str, ...]
    natural: int
    nudge: int
    degree: Degree
    open: Numbers | None = None
    closed: Annotated[Numbers | None, Seen.OWNER] = None

    @property
    def owner(self) -> str:
        return self.who

    @property
    def numbers(self) -> Any:
        """The numbers; WITHHELD in the view of someone who may not know them, which no type can say: hence Any."""
        numbers = self.open if self.open is not None else self.closed
        assert numbers is not None  # noqa: S101 - one of the two is always given
        return numbers

    def in_words(self, teller: Teller) -> str:
        """Attribute, die and degree; score and margin only if the viewer may know them."""
        attribute = teller.term(self.attribute)
        stance = self.footing.words(self.because)
        die = str(self.natural)
        if self.nudge:
            die = f"{self.natural} moved to {self.natural + self.nudge}"
        numbers = self.numbers
        if numbers is WITHHELD:
            return f"{attribute}{stance}: {die}, {self.degree.value}"
        margin = signed(numbers.margin)
        return f"{attribute} {numbers.score}{stance}: {die}, {self.degree.value}, margin {margin}"

    def log_line(self, teller: Teller, stakes: str, *, lethal: bool) -> str:
        """Log line of a test."""
        line = f"{teller.name(self.who)}, {self.in_words(teller)}. At stake: {stakes}."
        if lethal:
            line += " Lethal stakes."
        return line

    def went(self) -> Went:
        """The degree, and the margin if the viewer may know it."""
        tone = Tone.GOOD if self.degree.is_success else Tone.BAD
        numbers = self.numbers
        if numbers is WITHHELD:
            return Went(tone, self.degree.value)
        return Went(tone, f"{self.degree.value}, margin {signed(numbers.margin)}")


# ---------------------------------------------------------------- someone about to roll


def may_spend(call: Call, who: Character[Sheet], key: str) -> bool:
    """SS-23, SS-24, SS-68: true unless the tokens are a target that is not frozen, or a player's roll is hidden."""
    options = call.state.options
    if key == options.luck and options.luck_test_target is LuckTarget.LIVE:
        return False
    is_hidden_from_player = call.sight is not Sight.OPEN and who.seat is not None
    return not is_hidden_from_player


def favours_for(state: State, who: Character[Sheet]) -> int:
    """SS-67: the ally's tokens, which any hero may spend; 0 for others, and without an ally."""
    if not who.sheet.is_hero:
        return 0
    return state.game.favours


class Roller(Value, kw_only=False):
    """A character about to roll an attribute: score, stand, and the reasons for the stand."""

    who: Character[Sheet]
    key: str
    score: int
    stand: Stand
    because: tuple[str, ...]

    @classmethod
    def of(cls, call: Call, who: Character[Sheet], key: str, helps: Advantage, hinders: Disadvantage) -> Roller:
        """SS-05, SS-40, SS-42, SS+05: collect what helps and hinders. SS-24: Luck is rolled against the tokens held.

        SS-53, SS-67: include the surcharge, and the tokens that the ally could pay.
        """
        state = call.state
        options = state.options
        sheet = who.sheet

        circumstances = MORE if options.plays(Companion.CIRCUMSTANCES) else USUAL
        ground = Ground.of(bearing_on(state, who), helps, hinders, circumstances)
        claims_solid_cover = SOLID_COVER in circumstances and SOLID_COVER in map(str.casefold, helps)
        if claims_solid_cover and key != options.agility:
            raise Refusal("Solid cover helps to dodge, and nothing else.", code="circumstance")
        ground = ground.also(hinders=hampers(options, sheet, key))

        is_spending = may_spend(call, who, key)
        stand = Stand(
            footing=ground.footing,
            luck=sheet.luck if is_spending else 0,
            closed=sheet.is_closed,
            surcharge=surcharge(state, who),
            favours=favours_for(state, who) if is_spending else 0,
        )
        score = sheet.luck if key == options.luck else sheet.scores[key]
        return cls(who, key, score, stand, ground.because)

    def shown(self, roll: Roll, soak_left: int | None = None, bonus: int | None = None) -> ShownRoll:
        """The roll as it is shown. SS-35, SS-36: a hit comes with what its margin did to soak and damage."""
        numbers = Numbers(score=roll.score, margin=roll.margin, soak_left=soak_left, bonus=bonus)
        is_closed = self.who.sheet.is_closed
        return copied_into(
            ShownRoll,
            roll,
            who=self.who.id,
            attribute=self.key,
            footing=self.stand.footing,
            because=self.because,
            open=None if is_closed else numbers,
            closed=numbers if is_closed else None,
        )
