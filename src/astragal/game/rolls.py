"""Advantage, circumstances by name, conditions that bear on a roll, its bonuses, and the request that it answers."""

from astragal.table.authoring.rolls import *
