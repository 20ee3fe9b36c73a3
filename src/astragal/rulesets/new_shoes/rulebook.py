"""The rules of New Shoes, and the books they follow."""

from astragal.table.rulebook import Rulebook

from .approaches import approach
from .measures import MEASURES
from .opposing import opposed_approach
from .tables import TABLES

RULEBOOK = Rulebook(
    id="new_shoes",
    name="New Shoes",
    version="1",
    books=("New Shoes, after Roll for Shoes",),
    about="Three attributes, dice that explode, and whoever wins the roll tells what happens next.",
    dice="d6",
    rules=(approach, opposed_approach),
    measures=MEASURES,
    tables=TABLES,
)
