"""Authoring API: the one import that a game needs.

A game is its sheet, its rules (`astragal.chance`) and its chapters: commands, events and what follows from them. More
is in the modules of this package: types of fields in `astragal.game.fields`, numbers that are lost and gained in
`astragal.game.meters`, what new heroes may be in `astragal.game.heroes` and `astragal.game.point_buy`, advantage and
circumstances in `astragal.game.rolls`, what a surface can show in `astragal.game.display`, and what every table has
(people who enter, scenes, rests, requests, prompts, conditions, clocks) in `astragal.game.shared`.

Names are exported where they are defined: in the `__all__` of each module that is imported here.
"""

from astragal.table.authoring.chapter import *
from astragal.table.authoring.duels import *
from astragal.table.authoring.kept import *
from astragal.table.authoring.log_lines import *
from astragal.table.authoring.package_files import *
from astragal.table.authoring.ruleset import *
from astragal.table.authoring.skins import *
from astragal.table.authoring.small_games import *
from astragal.table.declarations import *
from astragal.table.refusals import *
from astragal.table.state.table import *
from astragal.table.visibility.redact import *
