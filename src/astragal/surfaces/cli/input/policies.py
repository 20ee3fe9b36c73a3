"""How the decisions inside a rule are taken when its odds are asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from astragal.chance import Odds, Offer, Question, advise, decline, odds
from astragal.chance.pictures import words
from astragal.surfaces.cli.errors import BadCall
from astragal.surfaces.cli.input.values import spoken
from astragal.surfaces.cli.output.verdicts import countable, part
from astragal.values import frozen

if TYPE_CHECKING:
    from collections.abc import Mapping

    from astragal.chance import Policy
    from astragal.table.authoring.ruleset import Ruleset

DECLINE, BEST = "decline", "best"
WELCOME = ("success", "wins", "hit")
"""Parts of a verdict that are wanted where nothing else is said."""


@frozen
class Deciding:
    """A policy by its name; under `best`, what is aimed for, and for which side."""

    policy: str = DECLINE
    goal: str | None = None
    side: str | None = None

    def weigh(self, question: Question[Any], of: str | None, game: Ruleset) -> Odds[Any]:
        named = self.named(game)
        if named is None:
            return self._best(question, of)
        return odds(question, named)

    def named(self, game: Ruleset) -> Policy | None:
        """The policy that answers every offer by itself; `best` has to look ahead, and is none."""
        if self.policy == BEST:
            return None
        if self.goal or self.side:
            raise BadCall(f"{self._whose} means something under --policy best alone.")
        if self.policy == DECLINE:
            return decline
        policies = policies_of(game)
        if self.policy not in policies:
            raise BadCall(f"There is no policy {self.policy!r}; there are {', '.join((*policies, BEST))}.")
        return policies[self.policy]

    @property
    def _whose(self) -> str:
        return "--goal" if self.goal else "--side"

    def _best(self, question: Question[Any], of: str | None) -> Odds[Any]:
        found, sides = _met(question)
        side = self.side or next(iter(sides), None)
        if not sides and (self.goal or self.side):
            raise BadCall(f"Nobody decides anything here, so there is nothing that {self._whose} could change.")
        if side is None:
            return found
        if side not in sides:
            raise BadCall(f"{side!r} decides nothing here; {' and '.join(sides)} do.")
        return advise(question, self._aim(found, of), side=side).odds

    def _aim(self, found: Odds[Any], of: str | None) -> Any:
        if self.goal is None:
            parts = countable(found.weights)
            named = (of, *WELCOME, part(found.weights, of)[0])
            welcome = next((name for name in named if name in parts and _is_yes_or_no(parts[name])), None)
            if welcome is None:
                raise BadCall("Best for what? --goal names the outcome that is wanted.")
            return lambda verdict: bool(getattr(verdict, welcome))
        _, meaning = part(found.weights, of)
        wanted = {spoken(one) for one in self.goal.split(",")}
        if not wanted & {spoken(words(meaning(verdict))) for verdict in found.weights}:
            listed = dict.fromkeys(words(meaning(verdict)) for verdict in found.weights)
            raise BadCall(f"{self.goal!r} does not come up here; {', '.join(listed)} do.")
        return lambda verdict: spoken(words(meaning(verdict))) in wanted


def policies_of(game: Ruleset) -> Mapping[str, Policy]:
    """To decline everything, and the ways to decide that the game itself names."""
    actions = (action for chapter in game.chapters for action in chapter.actions)
    own = {name.replace(" ", "-"): policy for action in actions for name, policy in action.policies.items()}
    return {DECLINE: decline, **own}


def _met(question: Question[Any]) -> tuple[Odds[Any], list[str]]:
    """The odds with everything declined, and the sides that had something to decide."""
    sides: dict[str, None] = {}

    def listen(offer: Offer[Any]) -> Any:
        sides[offer.side] = None
        return offer.default

    return odds(question, listen), list(sides)


def _is_yes_or_no(values: list[Any]) -> bool:
    return all(isinstance(value, bool) for value in values)
