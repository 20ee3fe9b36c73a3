"""A question about a rule's odds as it is typed: the rule with its parameters, how it is read, how it is shown."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from astragal.chance import Policy, Question
from astragal.lab.reading import BEST, Reading, Roll
from astragal.surfaces.cli.errors import BadCall
from astragal.surfaces.cli.input.fields import fields_from
from astragal.table.authoring.ruleset import Ruleset
from astragal.table.fields.validation import read
from astragal.values import field_names, frozen


@frozen(kw_only=True)
class Wanted(Reading):
    """How odds are shown, what is counted, and how decisions in the rule are made."""

    page: str | None = None
    svg: str | None = None
    vary: tuple[str, ...] = ()
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

    def policy_of(self, game: Ruleset) -> Policy | None:
        if self.policy != BEST and (self.side or (self.goal and self.reach is None)):
            raise BadCall(f"{'--goal' if self.goal else '--side'} needs --policy best.")
        return Reading.policy_of(self, game)


def question_from(roll: Roll, words: Sequence[str]) -> Question[Any]:
    """The question with the typed parameters. Raises a refusal with everything that is wrong with them."""
    checked: Any = read(roll.parameters, fields_from(roll.parameters, words))
    return roll.ask(**{name: getattr(checked, name) for name in field_names(roll.parameters)})
