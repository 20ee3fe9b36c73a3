"""A question about a rule's odds: the rule with its parameters, how decisions in it are made, what is counted."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import MISSING, field, make_dataclass
from inspect import Signature, get_annotations
from typing import Any

from astragal.chance import Odds, Offer, Policy, Question, Rule, advise, decline, odds
from astragal.chance.pictures import words
from astragal.chance.verdicts import in_words
from astragal.surfaces.cli.errors import BadCall
from astragal.surfaces.cli.input.fields import fields_from
from astragal.surfaces.cli.input.values import spoken
from astragal.surfaces.cli.output.verdicts import countable, part
from astragal.table.authoring.ruleset import Ruleset
from astragal.table.fields.validation import read
from astragal.values import frozen

DECLINE, BEST = "decline", "best"
SUCCESSES = ("success", "wins", "hit")
"""Parts of a verdict to aim for where no goal is given."""


@frozen
class Wanted:
    """How odds are shown, what is counted, and how decisions in the rule are made."""

    page: str | None = None
    svg: str | None = None
    vary: tuple[str, ...] = ()
    of: str | None = None
    policy: str | None = None
    goal: str | None = None
    side: str | None = None
    at_least: bool = False
    at_most: bool = False
    reach: str | None = None

    @property
    def given(self) -> list[str]:
        """The names of the options that were given."""
        names = ("svg", "vary", "of", "policy", "goal", "side", "at_least", "at_most", "reach")
        options = {name: getattr(self, name) for name in names}
        pages = [self.page] if self.page else []
        return pages + [name for name, value in options.items() if value not in (None, (), False)]

    def odds(self, question: Question[Any], game: Ruleset) -> Odds[Any]:
        """The odds of a question, with its decisions made by the policy."""
        policy = self.policy_of(game)
        if policy is not None:
            return odds(question, policy)
        sides: dict[str, None] = {}

        def listen(offer: Offer[Any]) -> Any:
            sides[offer.side] = None
            return offer.default

        declined = odds(question, listen)
        side = self.side or next(iter(sides), None)
        if not sides and (self.goal or self.side):
            raise BadCall(f"Nobody decides anything here, so {self._goal_or_side} changes nothing.")
        if side is None:
            return declined
        if side not in sides:
            raise BadCall(f"{side!r} decides nothing here; {' and '.join(sides)} do.")
        return advise(question, self.aim(declined), side=side).odds

    def policy_of(self, game: Ruleset) -> Policy | None:
        """The policy that answers every offer by itself; None for `best`, which has to look ahead."""
        if self.policy == BEST:
            return None
        if self.side or (self.goal and self.reach is None):
            raise BadCall(f"{self._goal_or_side} needs --policy best.")
        actions = (action for chapter in game.chapters for action in chapter.actions)
        own = {name.replace(" ", "-"): policy for action in actions for name, policy in action.policies.items()}
        policies: dict[str, Policy] = {DECLINE: decline, **own}
        if (self.policy or DECLINE) not in policies:
            raise BadCall(f"There is no policy {self.policy!r}; there are {', '.join((*policies, BEST))}.")
        return policies[self.policy or DECLINE]

    @property
    def _goal_or_side(self) -> str:
        return "--goal" if self.goal else "--side"

    def aim(self, found: Odds[Any]) -> Callable[[Any], bool]:
        """The test for outcomes to aim for: those of --goal, or what is called a success."""
        name, meaning = part(found.weights, self.of)
        if self.goal is None:
            parts = countable(found.weights)
            flags = {one for one, values in parts.items() if all(isinstance(value, bool) for value in values)}
            welcome = next((one for one in (self.of, *SUCCESSES, name) if one in flags), None)
            if welcome is None:
                raise BadCall(
                    "Which outcome is a success? --of names the part of the verdict to aim for, or --goal an outcome."
                )
            return lambda verdict: bool(getattr(verdict, welcome))
        wanted = {spoken(one) for one in self.goal.split(",")}
        listed = dict.fromkeys(words(meaning(verdict)) for verdict in found.weights)
        if not wanted & set(map(spoken, listed)):
            raise BadCall(f"{self.goal!r} is no outcome here; {', '.join(listed)} are.")
        return lambda verdict: spoken(words(meaning(verdict))) in wanted


def find_rule(game: Ruleset, said: str) -> Rule[..., Any]:
    rules = {spoken(rule.name): rule for rule in game.rules}
    name = spoken(said)
    fitting = [name] if name in rules else [one for one in rules if name and one.startswith(name)]
    if len(fitting) != 1:
        listed = ", ".join(rule.name for rule in game.rules)
        raise BadCall(f"{game.name} has no rule {said!r}; there are {listed}.")
    return rules[fitting[0]]


def parameters_of(rule: Rule[..., Any]) -> type:
    """A dataclass of a rule's parameters, so that they are read, validated and explained like fields."""
    hints = get_annotations(rule.body, eval_str=True)
    given = []
    for name, parameter in rule.parameters.items():
        default = MISSING if parameter.default is Signature.empty else parameter.default
        given.append((name, hints.get(name, Any), field(default=default)))
    return make_dataclass(rule.name, given, frozen=True, kw_only=True)


def question_from(rule: Rule[..., Any], words: Sequence[str]) -> Question[Any]:
    """The question with the typed parameters. Raises a refusal with everything that is wrong with them."""
    kind = parameters_of(rule)
    checked: Any = read(kind, fields_from(kind, words))
    return rule(**{name: getattr(checked, name) for name in rule.parameters})


def counted(found: Odds[Any], wanted: Wanted) -> tuple[str | None, Odds[Any]]:
    """Odds of the counted part of a verdict, and that part's name."""
    name, meaning = part(found.weights, wanted.of)
    return name, in_words(found.map(meaning) if name else found)
