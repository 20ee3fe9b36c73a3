"""Chapters that every table has, whatever is played: their commands, events and what follows from them."""

from astragal.table.chapters.calendar import CALENDAR
from astragal.table.chapters.chains import CHAINS
from astragal.table.chapters.chat import CHAT
from astragal.table.chapters.clocks import CLOCKS
from astragal.table.chapters.conditions import CONDITIONS
from astragal.table.chapters.consents import CONSENTS
from astragal.table.chapters.drafts import DRAFTS
from astragal.table.chapters.entering import ENTERING
from astragal.table.chapters.fates import FATES
from astragal.table.chapters.free_dice import FREE_DICE
from astragal.table.chapters.moves import MOVES
from astragal.table.chapters.notes import NOTES
from astragal.table.chapters.oracle import ORACLE
from astragal.table.chapters.pictures import PICTURES
from astragal.table.chapters.prompts import PROMPTS
from astragal.table.chapters.requests import REQUESTS
from astragal.table.chapters.safety import SAFETY
from astragal.table.chapters.scenes import SCENES
from astragal.table.chapters.seats import SEATS

SHARED = (
    SEATS,
    ENTERING,
    CHAINS,
    CONSENTS,
    SAFETY,
    CHAT,
    FREE_DICE,
    NOTES,
    PICTURES,
    PROMPTS,
    REQUESTS,
    DRAFTS,
    SCENES,
    CALENDAR,
    FATES,
    CONDITIONS,
    CLOCKS,
    MOVES,
    ORACLE,
)
"""Not among them are four that are made from a ruleset: requests for a roll, by its names of difficulties, declared
overrides of the numbers that it lets be overridden, sample heroes, and moves dealt from what lies open in its chapters.
"""
