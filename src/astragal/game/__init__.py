"""Write a game: the one import of whoever does.

A game is its sheet, its rules (`astragal.chance`) and its chapters: commands, events and what follows from them. Types
of fields are in `astragal.game.fields`, what a surface can show in `astragal.game.display`, advantage and circumstances
in `astragal.game.rolls`, and what every table has (scenes, rests, requests, prompts, conditions, clocks) in
`astragal.game.shared`.
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
from astragal.table.authoring.declarations import Nature, Sight
from astragal.table.authoring.duels import Duel, Takes, spends_most
from astragal.table.authoring.heroes import BoughtHeroes, heroes_in, pick, pick_some, samples_in
from astragal.table.authoring.kept import Kept
from astragal.table.authoring.lazy import Lazily, words_in
from astragal.table.authoring.log_lines import Teller
from astragal.table.authoring.meters import Gain, Gained, Lose, Lost, Meter, Meters, gained, lost
from astragal.table.authoring.point_buy import Budget, Build, Draw, Fault, Nearest, Number, OneOf, PointBuy, highest
from astragal.table.authoring.ruleset import (
    BookTable,
    HeroBook,
    Measure,
    Overridable,
    Plain,
    Price,
    Repair,
    Ruleset,
    SkinShelf,
    Worn,
)
from astragal.table.authoring.skins import skin_shelf
from astragal.table.authoring.small_games import Nothing, game
from astragal.table.chapters.cast import (
    BringIn,
    Entered,
    Introduced,
    NameOfFoe,
    WhichFoe,
    entered,
    from_setting,
    introduced,
)
from astragal.table.fields.lookup import Named, matching
from astragal.table.fields.values import Value, copied_into, field, replace, without
from astragal.table.refusals import BadFields, NoSuchThing, NotAllowed, NotAnOption, Refusal, StillDeciding
from astragal.table.state.seats import (
    EVERYONE,
    GAME_MASTER_AND_PLAYERS,
    GAME_MASTER_ONLY,
    GAME_MASTER_OR_OWNER,
    Rights,
    Role,
    Scope,
    Seen,
    Viewer,
)
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
    "BoughtHeroes",
    "BringIn",
    "Budget",
    "Build",
    "Call",
    "Chapter",
    "Character",
    "Command",
    "Decision",
    "Die",
    "Doing",
    "Draw",
    "Due",
    "Duel",
    "Entered",
    "Event",
    "Fact",
    "Fault",
    "Gain",
    "Gained",
    "HeroBook",
    "Introduced",
    "Kept",
    "Lazily",
    "Lose",
    "Lost",
    "Measure",
    "Meter",
    "Meters",
    "NameOfFoe",
    "Named",
    "Nature",
    "Nearest",
    "NoSuchThing",
    "NotAllowed",
    "NotAnOption",
    "Nothing",
    "Number",
    "OneOf",
    "Overridable",
    "Plain",
    "PointBuy",
    "Price",
    "Refusal",
    "Repair",
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
    "WhichFoe",
    "Worn",
    "copied_into",
    "entered",
    "field",
    "from_setting",
    "gained",
    "game",
    "heroes_in",
    "highest",
    "introduced",
    "lost",
    "matching",
    "pick",
    "pick_some",
    "replace",
    "samples_in",
    "skin_shelf",
    "spends_most",
    "without",
    "words_in",
]
