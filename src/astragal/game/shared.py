"""Shared chapters: events and functions of every table, whatever the game, for a game's chapters to follow and use."""

from astragal.table.chapters.calendar import *
from astragal.table.chapters.cast import *
from astragal.table.chapters.chat import Narrate as Narrate
from astragal.table.chapters.clocks import *
from astragal.table.chapters.conditions import *
from astragal.table.chapters.oracle import *
from astragal.table.chapters.prompts import *
from astragal.table.chapters.scenes import *
from astragal.table.commands.builtin import *
from astragal.table.state.setting import *
from astragal.table.state.things import *
