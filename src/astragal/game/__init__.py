"""Write a game: the one import of whoever does.

A game is its sheet, its rules (`astragal.chance`) and its chapters: commands, events and what follows from them. Types
of fields are in `astragal.game.fields`, numbers that are lost and gained in `astragal.game.meters`, what new heroes may
be in `astragal.game.heroes` and `astragal.game.point_buy`, advantage and circumstances in `astragal.game.rolls`, what a
surface can show in `astragal.game.display`, and what every table has (people who enter, scenes, rests, requests,
prompts, conditions, clocks) in `astragal.game.shared`.
"""

from astragal.table.authoring.chapter import (
    Call,
    Chapter,
    Command,
    Doing,
    Due,
    Event,
    Fact,
    Spend,
    SpendAfter,
    TableCall,
)
from astragal.table.authoring.duels import Duel, Takes, spends_most
from astragal.table.authoring.kept import Kept
from astragal.table.authoring.log_lines import Teller
from astragal.table.authoring.package_files import Lazily, words_in
from astragal.table.authoring.ruleset import (
    BookTable,
    Measure,
    Overridable,
    Price,
    Ruleset,
    SkinShelf,
    Worn,
    chance_table,
)
from astragal.table.authoring.skins import skin_shelf
from astragal.table.authoring.small_games import Nothing, game
from astragal.table.declarations import (
    EVERYONE,
    GAME_MASTER_AND_PLAYERS,
    GAME_MASTER_ONLY,
    GAME_MASTER_OR_OWNER,
    Nature,
    Rights,
    Role,
    Scope,
    Seen,
    Sight,
    Value,
    Viewer,
    copied_into,
    replace,
    without,
)
from astragal.table.refusals import BadFields, NoSuchThing, NotAllowed, NotAnOption, Refusal, StillDeciding
from astragal.table.state.table import Asked, Character, Decision, Die, State, TableState
from astragal.table.visibility.redact import WITHHELD

__all__ = [
    "EVERYONE",
    "GAME_MASTER_AND_PLAYERS",
    "GAME_MASTER_ONLY",
    "GAME_MASTER_OR_OWNER",
    "WITHHELD",
    "Asked",
    "BadFields",
    "BookTable",
    "Call",
    "Chapter",
    "Character",
    "Command",
    "Decision",
    "Die",
    "Doing",
    "Due",
    "Duel",
    "Event",
    "Fact",
    "Kept",
    "Lazily",
    "Measure",
    "Nature",
    "NoSuchThing",
    "NotAllowed",
    "NotAnOption",
    "Nothing",
    "Overridable",
    "Price",
    "Refusal",
    "Rights",
    "Role",
    "Ruleset",
    "Scope",
    "Seen",
    "Sight",
    "SkinShelf",
    "Spend",
    "SpendAfter",
    "State",
    "StillDeciding",
    "TableCall",
    "TableState",
    "Takes",
    "Teller",
    "Value",
    "Viewer",
    "Worn",
    "chance_table",
    "copied_into",
    "game",
    "replace",
    "skin_shelf",
    "spends_most",
    "without",
    "words_in",
]
