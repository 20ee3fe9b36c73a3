"""The numbers that a game's rules take, for tests that hold them against the book."""

from __future__ import annotations

from annotated_types import Ge, Le

from astragal.lab.rolls import parameters_of
from astragal.table.authoring.ruleset import Ruleset
from astragal.table.fields.definitions import Field, fields_of


def limits_of(ruleset: Ruleset) -> dict[str, str]:
    """For each rule its numbers with limits and defaults, and what is yes or no: “before 0..4 = 0, large = no”."""
    words = {rule.name: [in_words(field) for field in fields_of(parameters_of(rule))] for rule in ruleset.rules}
    return {name: ", ".join(filter(None, some)) for name, some in words.items() if any(some)}


def in_words(field: Field) -> str:
    if field.type is bool:
        return f"{field.name} = {'yes' if field.default else 'no'}"
    if field.type is not int:
        return ""
    default = "" if field.required else f" = {field.default}"
    return f"{field.name} {field.limit(Ge)}..{field.limit(Le)}{default}"
