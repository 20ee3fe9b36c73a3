"""A question as it was typed: a rule of a game with its parameters, and how its odds are wanted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import MISSING, field, make_dataclass
from inspect import Signature, get_annotations
from typing import TYPE_CHECKING, Any

from astragal.chance import Odds, Question, Rule
from astragal.surfaces.cli.errors import BadCall
from astragal.surfaces.cli.output.formats import Page
from astragal.values import frozen

if TYPE_CHECKING:
    from astragal.surfaces.cli.input.policies import Deciding
    from astragal.table.authoring.ruleset import Ruleset


@frozen
class Wanted:
    """How odds are to be shown, and how decisions are taken."""

    page: Page | None = None
    svg: str | None = None
    vary: tuple[str, ...] = ()
    of: str | None = None
    policy: str | None = None
    goal: str | None = None
    side: str | None = None
    at_least: bool = False
    at_most: bool = False

    @property
    def deciding(self) -> Deciding:
        from astragal.surfaces.cli.input.policies import DECLINE, Deciding

        return Deciding(self.policy or DECLINE, self.goal, self.side)

    @property
    def said(self) -> list[str]:
        """The options that were said, by their names."""
        options = {
            name: getattr(self, name) for name in ("svg", "vary", "of", "policy", "goal", "side", "at_least", "at_most")
        }
        pages = [self.page.name.lower()] if self.page else []
        return pages + [name for name, value in options.items() if value not in (None, (), False)]


def find_rule(game: Ruleset, said: str) -> Rule[..., Any]:
    from astragal.surfaces.cli.input.values import spoken

    rules = {spoken(rule.name): rule for rule in game.rules}
    name = spoken(said)
    fitting = [name] if name in rules else [one for one in rules if name and one.startswith(name)]
    if len(fitting) != 1:
        listed = ", ".join(rule.name for rule in game.rules)
        raise BadCall(f"{game.name} has no rule {said!r}; there are {listed}.")
    return rules[fitting[0]]


def parameters_of(rule: Rule[..., Any]) -> type:
    """A rule's parameters as a definition, so that they are read, checked and explained as a command's fields are."""
    hints = get_annotations(rule.body, eval_str=True)
    given = []
    for name, parameter in rule.parameters.items():
        default = MISSING if parameter.default is Signature.empty else parameter.default
        given.append((name, hints.get(name, Any), field(default=default)))
    return make_dataclass(rule.name, given, frozen=True, kw_only=True)


def question_from(rule: Rule[..., Any], words: Sequence[str]) -> Question[Any]:
    """The question that the typed parameters make, or all that is wrong with them."""
    from astragal.surfaces.cli.input.fields import fields_from
    from astragal.table.fields.validation import read

    kind = parameters_of(rule)
    checked: Any = read(kind, fields_from(kind, words))
    return rule(**{name: getattr(checked, name) for name in rule.parameters})


def counted(found: Odds[Any], wanted: Wanted) -> tuple[str | None, Odds[Any]]:
    """The odds of the part that is counted, and that part's name."""
    from astragal.chance.verdicts import in_words
    from astragal.surfaces.cli.output.verdicts import part

    name, meaning = part(found.weights, wanted.of)
    return name, in_words(found.map(meaning) if name else found)
