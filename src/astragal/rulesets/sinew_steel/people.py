"""Those whom the custodian plays. SS-28, SS+03."""

from __future__ import annotations

from dataclasses import replace

from astragal.table.newcomers import check_name
from astragal.table.refusals import Refusal
from astragal.table.ruleset import Action, Call, Chapter, Happening
from astragal.table.state import Character

from . import words
from .asked import MakeNpc, OpenScores
from .circumstances import known_key
from .game import Table
from .happened import NpcMade, ScoresOpened
from .heroes import check_gear, known_items
from .options import Companion, Options
from .sheet import Kind, Scores, Sheet, find
from .tiers import Size, tier_scores, tier_stamina

LEAST_SCORE, MOST_SCORE = 1, 20
"""The custodian's people are not bound to the rails, only to the die."""
USUAL_STAMINA = 4


def _make_npc(call: Call, asked: MakeNpc, _: None) -> list[NpcMade]:
    options: Options = call.state.options
    named = {known_key(options, key): score for key, score in asked.scores.items()}
    scores = {**_scores(options, asked), **named}
    if strange := [f"{key} {score}" for key, score in scores.items() if not LEAST_SCORE <= score <= MOST_SCORE]:
        raise Refusal(f"A score lies between {LEAST_SCORE} and {MOST_SCORE}: {', '.join(strange)}.", code="score")
    gear = (*asked.gear, *known_items(options, asked.kit))
    check_name(call.state, asked.name)
    check_gear(gear)
    made = NpcMade(
        who=call.fresh,
        name=asked.name,
        scores=Scores(open=scores) if asked.shown else Scores(closed=scores),
        luck=asked.luck,
        stamina=_stamina(asked),
        gear=gear,
    )
    return [made]


def _scores(options: Options, asked: MakeNpc) -> dict[str, int]:
    """SS+03: by tier, where one is named."""
    if asked.tier is None:
        if asked.best or asked.worst or asked.size is not Size.USUAL:
            raise Refusal("Best, worst and size are reckoned from a tier: name one.", code="tier")
        return dict.fromkeys(options.attributes, asked.score)
    if not options.plays(Companion.TIERS):
        raise Refusal("This table plays without tiers.", code="not_played")
    best = known_key(options, asked.best) if asked.best else None
    worst = known_key(options, asked.worst) if asked.worst else None
    return tier_scores(asked.tier, options.attributes, best, worst)


def _stamina(asked: MakeNpc) -> int:
    if asked.stamina is not None:
        return asked.stamina
    return USUAL_STAMINA if asked.tier is None else tier_stamina(asked.tier, asked.size)


def _open_scores(call: Call, asked: OpenScores, _: None) -> list[ScoresOpened]:
    who = find(call.state, asked.who)
    if not who.sheet.scores.closed:
        raise Refusal(f"Everyone knows {who.name}’s scores.", code="no_change")
    return [ScoresOpened(who=who.id, scores=who.sheet.scores.opened().open)]


def _enter(state: Table, made: NpcMade) -> Table:
    sheet = Sheet(
        kind=Kind.NPC,
        scores=made.scores,
        luck=made.luck,
        luck_key=state.options.luck,
        stamina=made.stamina,
        stamina_most=made.stamina,
        gear=made.gear,
    )
    return state.with_character(Character(id=made.who, name=made.name, seat=None, sheet=sheet))


def _open(state: Table, opened: ScoresOpened) -> Table:
    if opened.who not in state.characters:
        return state
    sheet = state.characters[opened.who].sheet
    return state.with_sheet(opened.who, replace(sheet, scores=sheet.scores.opened()))


PEOPLE = Chapter(
    actions=(Action(MakeNpc, _make_npc), Action(OpenScores, _open_scores)),
    happenings=(
        Happening(NpcMade, words.npc_made, _enter),
        Happening(ScoresOpened, words.scores_opened, _open),
    ),
)
