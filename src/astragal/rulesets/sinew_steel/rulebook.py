"""The rules of Sinew & Steel, and the books they follow."""

from astragal.table.rulebook import Rulebook

from .combat import attack
from .custodian_moves import custodian_move
from .luck import blessing, luck_test, nudged_test
from .measures import MEASURES
from .opposed import opposed_test
from .order import side_order
from .pressure import crisis, rising, tampering
from .purchase import purchase
from .rolling import simple_test
from .shelf import SHELF
from .tables import TABLES

RULEBOOK = Rulebook(
    id="sinew_steel",
    name="Sinew & Steel",
    version="1",
    books=("Sinew & Steel, Adventurer’s Manual", "Sinew & Steel, Universal Roll-Under Engine"),
    about="Roll low, spend luck where it matters, and feel the pressure rise: quick, hard adventures in any world.",
    dice="d20",
    rules=(
        simple_test,
        nudged_test,
        luck_test,
        blessing,
        opposed_test,
        attack,
        crisis,
        rising,
        tampering,
        custodian_move,
        purchase,
        side_order,
    ),
    measures=MEASURES,
    tables=TABLES,
    skins=SHELF,
)
