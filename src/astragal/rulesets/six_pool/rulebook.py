"""The rules of Six-Pool d20, and the books they follow."""

from astragal.table.rulebook import Rulebook

from .measures import MEASURES
from .tables import TABLES
from .trial.attacks import attack, damage_roll
from .trial.checks import check
from .trial.contests import contest
from .trial.groups import group_check, how_many_make_it, makes_it
from .trial.rests import short_rest

RULEBOOK = Rulebook(
    id="six_pool",
    name="Six-Pool d20",
    version="1",
    books=("Six-Pool d20: dice mechanics",),
    about="Heroic adventure with six pools of effort: decide what it is worth to you before the die falls.",
    dice="d20",
    rules=(check, attack, damage_roll, contest, group_check, how_many_make_it, makes_it, short_rest),
    measures=MEASURES,
    tables=TABLES,
)
