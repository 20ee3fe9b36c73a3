"""Rolls: advantage, circumstances by name, conditions that affect a roll, its bonuses, and the request it answers."""

from astragal.table.authoring.rolls import *
