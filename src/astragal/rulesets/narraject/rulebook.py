"""The rules of Narraject, and the books they follow."""

from astragal.table.rulebook import Rulebook

from .measures import MEASURES
from .rolling import roll_hand
from .tables import TABLES

RULEBOOK = Rulebook(
    id="narraject",
    name="Narraject",
    version="1",
    books=("Narraject: Core Mechanics",),
    about="Say what you want to be true, gather a hand of dice from all that you are, and count the fives and sixes.",
    dice="d6",
    rules=(roll_hand,),
    measures=MEASURES,
    tables=TABLES,
)
