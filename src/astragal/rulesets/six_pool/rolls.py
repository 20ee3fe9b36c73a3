"""One roll: its difficulty, what helps and hinders, all that is added to a d20, what it comes to, and what it uses up.

SP-01, SP-05, SP-06, SP-10 to SP-12, SP+05.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from enum import Enum
from typing import Annotated, Any, NamedTuple, TypeAlias

from astragal.chance import Rolls, rule
from astragal.game import WITHHELD, Chapter, Character, Command, Event, Refusal, Seen, Spend, Teller, Value, copied_into
from astragal.game.display import Tone, Went
from astragal.game.fields import CharacterId, Doc, Ge, Le, MaySet, Pays, Seldom, Usual, Words
from astragal.game.rolls import Advantage, Disadvantage, Footing, Ground, Term, sum_words, terms, total
from astragal.game.shared import PromptAnswered, conditions_on, modifier, new_prompt

from .catalogue import Pool, Training
from .pools import MOST_EFFORT, edge_bonus, points_worth, steps_by
from .rerolls import INSPIRATION, NO_REROLLS, Again, Asks, Declared, throw_rerolled, used_up
from .state import NO_POOL, Call, NaturalDegree, RollKind, Sheet, State, check_able

ROLLS = Chapter(seen=Seen.ALL)

# ---------------------------------------------------------------- difficulty

EASIEST = 1
HARDEST = 40

Difficulty: TypeAlias = Annotated[
    int, Ge(EASIEST), Le(HARDEST), Usual(5, 30), Doc("the difficulty class: what the total has to reach")
]
"""SP-05: trivial is 5, nearly impossible 30."""


class Rung(Enum):
    """SP-05: the ladder of difficulties."""

    TRIVIAL = "trivial"
    EASY = "easy"
    MEDIUM = "medium"
    HARD = "hard"
    VERY_HARD = "very hard"
    NEARLY_IMPOSSIBLE = "nearly impossible"

    @property
    def dc(self) -> int:
        return 5 * (1 + list(Rung).index(self))


class Circumstance(Enum):
    """SP-05: circumstances that make a thing easier or harder."""

    FAVOURABLE = "favourable"
    UNFAVOURABLE = "unfavourable"
    EXTREMELY_DIFFICULT = "extremely difficult"
    PERFECT_SET_UP = "perfect set-up"

    @property
    def shift(self) -> int:
        match self:
            case Circumstance.FAVOURABLE:
                return -2
            case Circumstance.UNFAVOURABLE:
                return 2
            case Circumstance.EXTREMELY_DIFFICULT:
                return 5
            case Circumstance.PERFECT_SET_UP:
                return -5


def shifted(dc: int, circumstances: Iterable[Circumstance]) -> int:
    """SP-05: several circumstances add up; more than 40 is refused. Ruling: a sum below 1 counts as 1."""
    is_withheld = dc is WITHHELD
    if is_withheld:
        return dc
    total = dc + sum(circumstance.shift for circumstance in circumstances)
    if total > HARDEST:
        raise Refusal(f"That comes to a difficulty of {total}; it goes up to {HARDEST}.", code="out_of_range")
    return max(EASIEST, total)


Circumstances = Annotated[tuple[Circumstance, ...], Doc("what makes it easier or harder; they add up"), MaySet.PROPOSAL]

# ---------------------------------------------------------------- what helps and hinders

HELPFUL = ("flanking", "position", "proper tools", "surprised target", "helpless target")
HINDERING = ("prone", "shooting into melee", "bad weather", "improvised tools", "injured", "exhausted")
USUAL = dict.fromkeys(HELPFUL, Footing.ADVANTAGE) | dict.fromkeys(HINDERING, Footing.DISADVANTAGE)
"""SP-10: words that anyone may name. Help has a command of its own; any other word is the game master's to give."""

BONUS = "bonus"
"""Key of the number of a condition that adds to every roll."""
BROKEN = "broken pool"


def ground(state: State, who: Character[Sheet], pool: Pool, helps: Advantage, hinders: Disadvantage) -> Ground:
    """SP-10: everything that helps and hinders a roll; sources do not stack, and both kinds cancel.

    SP+05: a pool at 0 is broken until a point returns; a spend that empties it counts from the next roll on.
    """
    named = Ground.of(conditions_on(state, who.id), helps, hinders, USUAL)
    points = who.sheet.numbers.pool(pool)
    is_broken = state.options.broken_pools and points is not NO_POOL and points.now == 0
    if not is_broken:
        return named
    return named.also(hinders=(BROKEN,))


# ---------------------------------------------------------------- the rule

Bonus: TypeAlias = Annotated[int, Ge(-40), Le(60), Doc("proficiency, Edge, points and the situation, together")]
Stance: TypeAlias = Annotated[Footing, Doc("one die, or which of two counts")]
Rerolls: TypeAlias = Annotated[Again, Doc("rerolls at hand, and when they are offered")]


class Degree(Enum):
    """SP-12: degrees of success and failure. Only an attack can be a critical hit."""

    CRITICAL_HIT = "critical hit"
    CRITICAL_SUCCESS = "critical success"
    STRONG_SUCCESS = "strong success"
    SUCCESS = "success"
    FAILURE = "failure"
    BAD_FAILURE = "bad failure"
    CRITICAL_FAILURE = "critical failure"

    @property
    def is_success(self) -> bool:
        return self not in (Degree.FAILURE, Degree.BAD_FAILURE, Degree.CRITICAL_FAILURE)


class Roll(NamedTuple):
    """The die that counts, the bonus, and the difficulty. A tuple, since odds count them by the hundred."""

    natural: int
    bonus: int
    dc: int
    naturals: NaturalDegree = NaturalDegree.CRITICAL
    rerolled: tuple[str, ...] = ()

    @property
    def total(self) -> int:
        return self.natural + self.bonus

    @property
    def margin(self) -> int:
        return self.total - self.dc

    @property
    def is_natural(self) -> bool:
        return self.natural in (1, 20)

    @property
    def success(self) -> bool:
        """SP-01: meets or beats. SP-11: a natural 20 always, a natural 1 never, whatever was spent."""
        return self.natural == 20 or (self.natural != 1 and self.margin >= 0)

    @property
    def band(self) -> Degree:
        """SP-12: the degree of the total alone, by how far it beats or misses the difficulty."""
        margin = self.margin
        if margin >= 10:
            return Degree.CRITICAL_SUCCESS
        if margin >= 5:
            return Degree.STRONG_SUCCESS
        if margin >= 0:
            return Degree.SUCCESS
        if margin > -5:
            return Degree.FAILURE
        if margin > -10:
            return Degree.BAD_FAILURE
        return Degree.CRITICAL_FAILURE

    @property
    def degree(self) -> Degree:
        """SP-12: the total's band, unless a natural 20 or 1 decides otherwise."""
        band = self.band
        if not self.is_natural:
            return band
        if self.naturals is NaturalDegree.CRITICAL:
            return Degree.CRITICAL_SUCCESS if self.natural == 20 else Degree.CRITICAL_FAILURE
        if band.is_success == self.success:
            return band
        return Degree.SUCCESS if self.natural == 20 else Degree.FAILURE


@rule
def check(
    dc: Difficulty,
    bonus: Bonus,
    stance: Stance = Footing.LEVEL,
    again: Rerolls = NO_REROLLS,
    naturals: Annotated[NaturalDegree, Doc("what degree a natural 20 or 1 is")] = NaturalDegree.CRITICAL,
) -> Rolls[Roll]:
    """SP-01: a d20 and all bonuses meet or beat the difficulty."""
    thrown = yield from throw_rerolled(stance, again, lambda natural: Roll(natural, bonus, dc).success)
    return Roll(thrown.natural, bonus, dc, naturals, thrown.rerolled)


# ---------------------------------------------------------------- what is rolled, and what is added


def proficiency(level: int) -> int:
    """SP-06: +2, and one more at 5, 9, 13 and 17."""
    return 2 + steps_by(level)


def trained_bonus(level: int, training: Training) -> int:
    """SP-06: no proficiency for the untrained, all of it for the trained, 2 more for experts and 4 more for masters."""
    match training:
        case Training.UNTRAINED:
            return 0
        case Training.TRAINED:
            return proficiency(level)
        case Training.EXPERT:
            return proficiency(level) + 2
        case Training.MASTER:
            return proficiency(level) + 4


class Aim(Value, seen=Seen.ALL):
    """Kind of a roll, its pool, and its skill or threat where one is named."""

    kind: RollKind
    pool: Pool
    name: str = ""

    def words(self, teller: Teller) -> str:
        pool = teller.term(self.pool.value)
        if not self.name:
            return pool
        return f"{self.name} ({pool})"


class Skilled(NamedTuple):
    """An aim, and what proficiency adds to it."""

    aim: Aim
    proficiency: int


def standing_terms(state: State, who: Character[Sheet], skilled: Skilled, situation: int) -> tuple[Term, ...]:
    """SP-01, SP-06: terms that are added whether or not points are spent."""
    return terms(
        proficiency=skilled.proficiency,
        Edge=edge_bonus(who.sheet.numbers.pool(skilled.aim.pool).edge, state.options.edge),
        situation=situation,
        conditions=modifier(state, who.id, BONUS),
    )


class Attempt(Value, kw_only=False):
    """Everything that goes into one roll."""

    who: Character[Sheet]
    aim: Aim
    terms: tuple[Term, ...]
    ground: Ground = Ground()
    again: Again = NO_REROLLS
    declared: Declared = Declared()

    @property
    def bonus(self) -> int:
        """SP-01: everything that is added to the die."""
        return total(self.terms)

    def shown(self, roll: Roll, **instead: Any) -> ShownRoll:
        """Make the roll as events show it. `instead` replaces fields: the face that was taken, a critical hit."""
        fields = {
            "aim": self.aim,
            "footing": self.ground.footing,
            "because": self.ground.because,
            "terms": self.terms,
        }
        return copied_into(ShownRoll, roll, **{**fields, **instead})


Modifier = Annotated[int, Ge(-20), Le(20), Doc("what the situation adds to the roll"), Seldom(), MaySet.PROPOSAL]


class Effort(Command):
    """Base of check, save and attack: fields for what a player can put into a roll."""

    who: Annotated[CharacterId, Doc("who rolls")]
    points: Annotated[int, Ge(0), Le(MOST_EFFORT), Doc("pool points, declared before the roll")] = 0
    inspiration: Annotated[bool, Doc("whether Inspiration is spent now, for advantage"), Pays()] = False
    advantage: Advantage = ()
    disadvantage: Disadvantage = ()
    modifier: Modifier = 0
    rerolls: Annotated[Asks, Doc("when to be asked for a reroll"), Seldom()] = Asks.IF_IT_FAILS

    def skilled(self, call: Call) -> Skilled:
        """Aim of the roll, and what proficiency adds. Each command defines its own."""
        raise NotImplementedError

    def attempt(self, call: Call, *, hidden: bool, boost: int = 0) -> Attempt:
        """Gather everything that goes into the roll, or refuse it with the numbers: SP-01, SP-03, SP-10, SP-18, SP+04.

        Under a hidden difficulty a reroll is offered after any die: offering it only after failures would betray them.
        """
        state = call.state
        skilled = self.skilled(call)
        who = state.find(self.who)
        aim = skilled.aim
        check_able(state, who, aim.kind)
        roll_ground = ground(state, who, aim.pool, self.advantage, self.disadvantage)
        declared = Declared(self.points, self.inspiration)
        declared.check(state, who, aim.pool)
        if self.inspiration:
            roll_ground = roll_ground.also(helps=(INSPIRATION,))

        always_added = standing_terms(state, who, skilled, self.modifier)
        effort = points_worth(state, who, aim.pool, self.points)
        asks = self.rerolls
        if hidden and asks is Asks.IF_IT_FAILS:
            asks = Asks.ALWAYS
        again = Again.held_by(who.sheet, aim.kind, aim.pool, asks)
        return Attempt(
            who=who,
            aim=aim,
            terms=(*always_added, *terms(effort=effort, leader=boost)),
            ground=roll_ground,
            again=again.after(declared, state.options.inspiration_with_points),
            declared=declared,
        )


def points_held(call: Call, command: Effort) -> str:
    """SP-02: the points left in the pool that is rolled with, in words."""
    pool = command.skilled(call).aim.pool
    numbers = call.state.find(command.who).sheet.numbers
    name = call.state.terms.get(pool, pool)
    return f"{numbers.pool(pool).now} in {name}"


ROLLED: Mapping[str, Any] = {
    "actor": "who",
    "outcome": lambda verdict: verdict.degree,
    "hopes": lambda degree: degree.is_success,
    "spend": Spend("points", lambda call, command: range(MOST_EFFORT + 1), held=points_held),
}
"""Options of check, save and attack: a preview counts their degrees, and points are paid before the roll.

SP-21: every legal spend has its chance; a preview leaves out those that `Declared.check` refuses.
"""


class ShownDie(Value, seen=Seen.ALL):
    """SP-01: the die that counts and all that was added, as everyone sees them."""

    aim: Aim
    footing: Footing
    because: tuple[str, ...]
    natural: int
    rerolled: tuple[str, ...]
    terms: tuple[Term, ...]
    total: int

    def words(self, teller: Teller, against: str = "") -> str:
        """The line of a roll: "14 + 3 proficiency + 2 Edge = 19 against 15 with advantage (flanking)"."""
        line = sum_words(self.natural, self.terms, self.total, teller)
        line += against
        line += self.footing.words(self.because)
        if self.rerolled:
            line += f", rerolled by {' and '.join(self.rerolled)}"
        return line


class ShownRoll(ShownDie, seen=Seen.ALL):
    """SP-12: the degree, and the total's own band beside it. Players don't see what betrays a hidden difficulty."""

    success: bool
    dc: Annotated[int, Seen.DIFFICULTY]
    margin: Annotated[int, Seen.DIFFICULTY]
    degree: Annotated[Degree, Seen.DIFFICULTY]
    band: Annotated[Degree, Seen.DIFFICULTY]

    def log_line(self, teller: Teller, success: str = "success", failure: str = "failure") -> str:
        """Describe the roll. A hidden difficulty is left out, and so is the degree."""
        if self.dc is WITHHELD:
            return f"{self.words(teller)}: {success if self.success else failure}"
        line = f"{self.words(teller, f' against {self.dc}')}: {self.degree.value}"
        if self.band is not self.degree:
            line += f" (the total says {self.band.value})"
        return line

    def went(self, success: str = "success", failure: str = "failure") -> Went:
        tone = Tone.GOOD if self.success else Tone.BAD
        if self.dc is not WITHHELD:
            return Went(tone, self.degree.value)
        return Went(tone, success if self.success else failure)


# ---------------------------------------------------------------- what a roll leaves behind

NATURAL = "natural"
"""The kind of prompt that a natural 20 or 1 puts to the game master."""


def after_roll(call: Call, attempt: Attempt, roll: Roll) -> Iterator[Event]:
    """SP-11: yield what the roll used up and, after a natural 20 or 1, a secret prompt for the game master."""
    state = call.state
    who = attempt.who
    aim = attempt.aim
    yield from used_up(state, who, aim.pool, attempt.declared, roll.rerolled)
    if roll.is_natural:
        consequence = "benefit" if roll.natural == 20 else "complication"
        rolled = f"{who.name} rolled a natural {roll.natural} ({aim.name or aim.pool.value})."
        question = f"{rolled} What {consequence} comes of it?"
        prompt_id = f"{call.fresh}-{roll.natural}"
        yield new_prompt(state, prompt_id, state.game_master, question, kind=NATURAL, secret=True)


@ROLLS.event("consequence_told", says="natural {natural}: {words}")
class ConsequenceTold(Event):
    """SP-11: the game master told what a natural 20 or 1 brought with it."""

    roll: str
    """Id of the command that rolled it."""
    natural: int
    words: Words


@ROLLS.after(PromptAnswered)
def consequence_of_natural(_: State, answered: PromptAnswered) -> list[ConsequenceTold]:
    """SP-11: the game master's answer is recorded with the roll."""
    prompt = answered.prompt
    if prompt.kind != NATURAL:
        return []
    roll, _dash, natural = prompt.id.rpartition("-")
    return [ConsequenceTold(roll=roll, natural=int(natural), words=prompt.answer or "")]
