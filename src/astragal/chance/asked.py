"""A question as a die: thrown among others, weighed, kept and counted, as long as nobody decides anything in it."""

from __future__ import annotations

from typing import Any, NoReturn, TypeVar

from msgspec import Struct

from .algebra import makers
from .chances import Chance
from .dice import Tray
from .errors import BadStep, NotAStep
from .odds import Odds
from .play import next_dice
from .readings import odds
from .steps import Offer, Question, Step, Together

T = TypeVar("T")


class Asked(Chance[T], Struct, frozen=True):
    """A question as a die: what a rule comes to can be added, kept, counted and compared as a face can."""

    question: Question[T]

    def __repr__(self) -> str:
        return repr(self.question)

    def throw(self, tray: Tray) -> T:
        asked_by = tray.by
        tray.by = self.question.rule.name
        run = self.question.begin()
        value: Any = None
        try:
            while True:
                step = run.send(value)
                value = (step if isinstance(step, Chance) else self._inside(step)).throw(tray)
        except StopIteration as done:
            verdict: T = done.value
            return verdict
        finally:
            tray.by = asked_by

    def _inside(self, step: Step[Any]) -> Chance[Any]:
        if isinstance(step, Question):
            return Asked(step)
        if isinstance(step, (Offer, Together)):
            raise self._refused(step.offers[0])
        raise NotAStep(f"{self.question.rule.name} stopped for {step!r}, which is no step")

    def odds(self) -> Odds[T]:
        def refuse(offer: Offer[Any]) -> NoReturn:
            raise self._refused(offer)

        return odds(self.question, refuse)

    def _refused(self, offer: Offer[Any]) -> BadStep:
        return BadStep(
            f"{offer.side} decides {offer.name!r} in {self.question}, so it is no die; ask it first, "
            "value = yield from …, and go on with the value"
        )

    def needs(self) -> tuple[int, ...]:
        return next_dice(self.question)

    @property
    def may_throw_more(self) -> bool:
        return True


makers.asked = Asked
