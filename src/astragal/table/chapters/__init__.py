"""What every game shares, chapter by chapter: commands, events and folds."""

from .calendar import CALENDAR
from .chains import CHAINS
from .chat import CHAT
from .clocks import CLOCKS
from .conditions import CONDITIONS
from .consents import CONSENTS
from .drafts import DRAFTS
from .notes import NOTES
from .prompts import PROMPTS
from .requests import REQUESTS
from .safety import SAFETY
from .scenes import SCENES
from .seats import SEATS

SHARED = (SEATS, CHAINS, CONSENTS, SAFETY, CHAT, NOTES, PROMPTS, REQUESTS, DRAFTS, SCENES, CALENDAR, CONDITIONS, CLOCKS)
"""Declared overrides are not among them: that chapter is made from what a ruleset lets be overridden."""
