"""Steps that a rule may stop for: chance, decisions, other rules.

Steps are plain values. A rule stops for one with `value = yield from step`; the readings (`play`, `replay`, `odds`,
`advise`) decide what comes back. Steps with the same content are equal and hash equal, so odds can be cached.
"""

from __future__ import annotations

import sys
from bisect import bisect_right
from collections.abc import Callable, Generator, Hashable
from functools import lru_cache, partial, update_wrapper
from types import CodeType, GeneratorType
from typing import Any, Generic, ParamSpec, TypeVar

from msgspec import Struct

from .algebra import Algebra, makers
from .errors import BadStep

T = TypeVar("T")
P = ParamSpec("P")

MOST_OPTIONS = 64
MOST_SIDES = 1_000_000
LONGEST_RETURN = 8
"""More instructions than any version of Python takes to return a value."""


class Step(Generic[T]):
    """A step that a rule stops for, and that is answered with a `T`."""

    __slots__ = ()

    def __iter__(self) -> Rolls[T]:
        answer: T = yield self
        return answer


Rolls = Generator[Step[Any], Any, T]
"""Type of a rule's body: it yields steps and returns its verdict."""


class Notable(Struct, Generic[T], frozen=True):
    """An answer worth showing: its price and its result."""

    answer: T
    price: Hashable
    result: Hashable


class Offer(Step[T], Struct, frozen=True):
    """A decision: `side` answers with one of `options`, which are all legal answers; the first is the default."""

    side: str
    name: str
    options: tuple[T, ...]
    notable: tuple[Notable[T], ...] = ()
    about: Hashable = None

    def __post_init__(self) -> None:
        if not isinstance(self.options, tuple):
            raise BadStep(f"the options of the offer {self.name!r} stand in a tuple, not in {self.options!r}")
        if not 1 <= len(self.options) <= MOST_OPTIONS:
            raise BadStep(f"the offer {self.name!r} has {len(self.options)} options; it needs 1 to {MOST_OPTIONS}")
        try:
            twice = len(set(self.options)) < len(self.options)
        except TypeError as fault:
            raise BadStep(f"the options of the offer {self.name!r} must be hashable: {fault}") from None
        if twice:
            raise BadStep(f"the offer {self.name!r} lists an option twice")
        if strange := [note.answer for note in self.notable if note.answer not in self.options]:
            raise BadStep(f"the offer {self.name!r} notes {strange[0]!r}, which is not among its options")

    @property
    def default(self) -> T:
        """The default answer: the first option."""
        return self.options[0]

    @property
    def offers(self) -> tuple[Offer[T]]:
        """This offer as a tuple, for symmetry with `Together`."""
        return (self,)


class Together(Step[tuple[Any, ...]], Struct, frozen=True):
    """Several sides decide at once: in any order, and no side sees another's answer before all are in.

    The value is the tuple of answers, in the order of the offers.
    """

    offers: tuple[Offer[Any], ...]

    def __post_init__(self) -> None:
        sides = [offer.side for offer in self.offers]
        if len(sides) < 2 or len(set(sides)) < len(sides):
            raise BadStep(f"deciding together takes two or more different sides, not {sides}")


class Question(Algebra[Any, Any], Step[T], Struct, frozen=True, eq=False):
    """A rule with its arguments, not yet decided. It can be played, weighed, stored or shown.

    If nobody decides anything in it, it can be calculated with, as a die: `2 @ attack(12) + 1`.
    """

    rule: Rule[..., T]
    arguments: tuple[Any, ...]

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if not isinstance(other, Question):
            return NotImplemented
        return self.rule is other.rule and self.arguments == other.arguments

    __ne__ = object.__ne__  # a Struct has one of its own, which asks no __eq__

    def __hash__(self) -> int:
        return hash((self.rule, self.arguments))

    def __repr__(self) -> str:
        given = ", ".join(f"{name}={value!r}" for name, value in self.named.items())
        return f"{self.rule.name}({given})"

    @property
    def named(self) -> dict[str, Any]:
        """The arguments by name."""
        return dict(zip(self.rule.parameters, self.arguments, strict=True))

    def map(self, meaning: Callable[[T], Any]) -> Any:
        """Map what it comes to with a pure function. Nobody may decide anything in it.

        >>> from astragal import Rolls, d20, odds, rule
        >>> @rule
        ... def steady(score: int) -> Rolls[bool]:
        ...     return (yield from d20) <= score
        >>> odds(steady(12).map(lambda passed: "stands" if passed else "falls")).chance("falls")
        Fraction(2, 5)
        """
        return makers.asked(self).map(meaning)

    def begin(self) -> Rolls[T]:
        """Start the rule's body, for a reading."""
        return self.rule.begin(*self.arguments)


class Rule(Generic[P, T]):
    """A rule of a game, written once as a generator. Calling it asks a question and decides nothing."""

    __name__: str
    __qualname__: str

    def __init__(self, body: Callable[P, Rolls[T]]) -> None:
        from inspect import Parameter, isgeneratorfunction, signature  # slow to import; dice alone need no rule

        if not callable(body):
            raise BadStep(f"a rule is made of a generator function, not of {body!r}")
        if not isgeneratorfunction(body):
            raise BadStep(f"{body.__name__} has no `yield from`, so it stops for nothing and is no rule")
        self.body = body
        self._signature = signature(body)
        self.parameters = dict(self._signature.parameters)
        for parameter in self.parameters.values():
            if parameter.kind in (Parameter.VAR_POSITIONAL, Parameter.VAR_KEYWORD):
                raise BadStep(f"the rule {body.__name__} takes {parameter}; a question has a fixed list of arguments")
        self._by_name = [name for name, it in self.parameters.items() if it.kind is it.KEYWORD_ONLY]
        self.begin: Callable[..., Rolls[T]] = (lambda *row: self.started(row)()) if self._by_name else body
        self.beyond_lanes = False
        """True if lanes gave up on this rule. They are tried again if there are many paths."""
        self.asks_itself = False
        """True if a question of this rule was seen to ask another one of the same rule."""
        self._ask: Callable[..., Question[T]] = lru_cache(maxsize=1024, typed=True)(self._question)
        update_wrapper(self, body)

    @property
    def name(self) -> str:
        """The name of the rule's function."""
        return self.__name__

    def started(self, arguments: tuple[Any, ...]) -> Callable[[], Rolls[T]]:
        """The body with its arguments bound, to be run any number of times; keyword-only arguments come last."""
        placed = len(arguments) - len(self._by_name)
        return partial(self.body, *arguments[:placed], **dict(zip(self._by_name, arguments[placed:], strict=True)))

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> Question[T]:
        try:
            return self._ask(*args, **kwargs)
        except TypeError:  # an argument that can't be hashed: lanes, or a mistake
            for given in (*args, *kwargs.values()):
                if issubclass(type(given), (bytearray, dict, list, set)):
                    raise BadStep(
                        f"{self.name} is asked about {given!r}; arguments are hashable, a tuple in place of a list"
                    ) from None
            return self._question(*args, **kwargs)

    def __repr__(self) -> str:
        return f"<rule {self.__module__}.{self.__qualname__}>"

    def __reduce__(self) -> tuple[Callable[[str, str], Rule[..., Any]], tuple[str, str]]:
        return find_rule, (self.__module__, self.__qualname__)

    def _question(self, *args: Any, **kwargs: Any) -> Question[T]:
        """Bind names and defaults, so that equal questions have one form."""
        if not kwargs and len(args) == len(self.parameters):
            return Question(self, args)
        try:
            bound = self._signature.bind(*args, **kwargs)
        except TypeError as fault:
            raise TypeError(f"{self.name} takes {len(self.parameters)} arguments: {fault}") from None
        bound.apply_defaults()
        return Question(self, (*bound.args, *bound.kwargs.values()))


# ---------------------------------------------------------------- the last step


def is_last_step(run: Rolls[Any]) -> bool:
    """Return whether the step that a rule waits for is its last one: `return (yield from step)`.

    The verdict is then what the step comes to, whatever that is, so odds need not go on with each value of it. Seen in
    the instructions where the rule waits, and in those of the generators that it leaves its work to. If they can't be
    read, the answer is no, and the odds are the same.
    """
    generator: Any = run
    while generator.gi_code is not _STEP_BODY:
        inner = generator.gi_yieldfrom
        if not isinstance(inner, GeneratorType) or not _returns_at(generator.gi_code, generator.gi_frame.f_lasti):
            return False
        generator = inner
    return True


@lru_cache(maxsize=4096)
def _returns_at(code: CodeType, place: int) -> bool:
    """Return whether a generator that waits at this instruction returns what it is sent, and does nothing else."""
    return _instructions_after(code, place)[: len(_returned())] == _returned()


def _instructions_after(code: CodeType, place: int) -> list[str]:
    """Names of the instructions that follow when the `yield from` that waits at this instruction is over."""
    from dis import get_instructions  # slow to import

    instructions = list(get_instructions(code))
    offsets = [instruction.offset for instruction in instructions]
    ends = [here for here in instructions[: bisect_right(offsets, place)] if here.opname == "SEND"]
    names: list[str] = []
    at = offsets.index(ends[-1].argval) if ends else len(instructions)
    while at < len(instructions) and len(names) < LONGEST_RETURN:
        instruction = instructions[at]
        if instruction.opname == "JUMP_FORWARD":  # out of a conditional expression
            at = offsets.index(instruction.argval)
        else:
            names.append(instruction.opname)
            at += 1
    return names


_STEP_BODY = Step.__iter__.__code__


def _sample(step: Step[Any]) -> Rolls[Any]:
    return (yield from step)


@lru_cache(maxsize=1)
def _returned() -> list[str]:
    """How this version of Python returns what a `yield from` comes to, seen in a generator that does nothing else."""
    waiting = _sample(Step())
    next(waiting)
    names = _instructions_after(waiting.gi_code, waiting.gi_frame.f_lasti)  # type: ignore[attr-defined]
    return names[: names.index("RETURN_VALUE") + 1]


def rule(body: Callable[P, Rolls[T]]) -> Rule[P, T]:
    """Turn a generator function into a rule. Calling it makes a question, and decides nothing.

    >>> from astragal import Rolls, d20, odds, rule
    >>> @rule
    ... def steady(score: int) -> Rolls[bool]:
    ...     return (yield from d20) <= score
    >>> steady(12), odds(steady(12)).chance(True)
    (steady(score=12), Fraction(3, 5))
    """
    return Rule(body)


def find_rule(module: str, qualname: str) -> Rule[..., Any]:
    """Look up a rule by module and name, for questions that were stored by name.

    >>> from astragal import find_rule
    >>> find_rule("examples.sinew_and_steel", "simple_test")
    <rule examples.sinew_and_steel.simple_test>
    """
    __import__(module)
    found: Any = sys.modules[module]
    for part in qualname.split("."):
        found = getattr(found, part)
    if not isinstance(found, Rule):
        raise TypeError(f"{module}.{qualname} is no rule")
    return found
