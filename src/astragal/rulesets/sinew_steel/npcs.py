"""Those whom the custodian plays, by one score, by scores or by tier. SS-28, SS+03."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import Enum
from typing import Annotated, Literal, TypeAlias

from astragal.game import Chapter, Command, Event, Nature, Refusal, Seen, Teller
from astragal.game.fields import CharacterId, Doc, Ge, Le, Name, Names, Words
from astragal.game.shared import BringIn

from .heroes import WantedScore, check_gear, known_items
from .options import Companion, Item, Options
from .state import AttributeKey, Call, Kind, Scores, Sheet, State, known_key

NPCS = Chapter(seen=Seen.ALL)

LEAST_SCORE, MOST_SCORE = 1, 20
"""The custodian's people are not bound to the rails, only to the die."""
USUAL_STAMINA = 4


Tier: TypeAlias = Literal[8, 10, 12, 14, 16]

STAMINA_BY_TIER: dict[int, int] = {8: 3, 10: 4, 12: 5, 14: 6, 16: 7}


class Size(Enum):
    """SS+03: how much more Stamina there is to wear down."""

    USUAL = "usual"
    LARGE = "large"
    BOSS = "boss"

    @property
    def more_stamina(self) -> int:
        return {Size.USUAL: 0, Size.LARGE: 2, Size.BOSS: 4}[self]


def tier_stamina(tier: int, size: Size) -> int:
    return STAMINA_BY_TIER[tier] + size.more_stamina


def tier_scores(tier: int, attributes: Sequence[str], best: str | None, worst: str | None) -> dict[str, int]:
    """SS+03: one score for all; where a best is named it is the tier, the others 2 less, the worst 4 less."""
    if best is None and worst is None:
        return dict.fromkeys(attributes, tier)
    marked = {best: tier, worst: tier - 4}
    return {key: marked.get(key, tier - 2) for key in attributes}


@NPCS.command("make_npc")
class MakeNpc(BringIn):
    """Bring somebody of the custodian's into the story."""

    score: Annotated[int, Ge(1), Le(20), Doc("one score for all attributes")] = 10
    scores: Annotated[Mapping[str, WantedScore], Names("score"), Doc("scores by name or key that differ from it")] = {}
    stamina: Annotated[int | None, Ge(1), Le(20), Doc("Stamina; by default 4, or what the tier gives")] = None
    tier: Annotated[Tier | None, Doc("a tier, which gives scores and Stamina")] = None
    best: Annotated[AttributeKey | None, Doc("the attribute at the tier, where the others are to be lower")] = None
    worst: Annotated[AttributeKey | None, Doc("the attribute four under the tier")] = None
    size: Annotated[Size, Doc("large and boss have more Stamina than their tier")] = Size.USUAL
    luck: Annotated[int, Ge(0), Le(20), Doc("tokens; most have none")] = 0
    gear: Annotated[tuple[Item, ...], Doc("what they carry")] = ()
    kit: Annotated[tuple[Name, ...], Doc("what else they carry, by the names that the skin has for it")] = ()
    concept: Annotated[Words, Doc("who or what they are, in a line; all can read it")] = ""
    shown: Annotated[bool, Doc("whether players know the scores and what is carried")] = False

    def sheet(self, call: Call) -> Sheet:
        options = call.state.options
        named = {known_key(options, key): score for key, score in self.scores.items()}
        scores = {**self.usual_scores(options), **named}
        if strange := [f"{key} {score}" for key, score in scores.items() if not LEAST_SCORE <= score <= MOST_SCORE]:
            raise Refusal(f"A score lies between {LEAST_SCORE} and {MOST_SCORE}: {', '.join(strange)}.", code="score")
        gear = (*self.gear, *known_items(options, self.kit))
        check_gear(gear)
        stamina = self.stamina
        if stamina is None:
            stamina = USUAL_STAMINA if self.tier is None else tier_stamina(self.tier, self.size)
        return Sheet(
            kind=Kind.NPC,
            scores=Scores(open=scores) if self.shown else Scores(closed=scores),
            luck=self.luck,
            luck_key=options.luck,
            stamina=stamina,
            stamina_most=stamina,
            gear=gear if self.shown else (),
            kept=() if self.shown else gear,
            concept=self.concept,
        )

    def usual_scores(self, options: Options) -> dict[str, int]:
        """SS+03: by tier, where one is named."""
        if self.tier is None:
            if self.best or self.worst or self.size is not Size.USUAL:
                raise Refusal("Best, worst and size come from a tier: name one.", code="tier")
            return dict.fromkeys(options.attributes, self.score)
        if not options.plays(Companion.TIERS):
            raise Refusal("This table plays without tiers.", code="not_played")
        best = known_key(options, self.best) if self.best else None
        worst = known_key(options, self.worst) if self.worst else None
        return tier_scores(self.tier, options.attributes, best, worst)


@NPCS.event("scores_opened", nature=Nature.LASTING)
class ScoresOpened(Event):
    who: CharacterId
    scores: Mapping[str, int]

    def says(self, teller: Teller) -> str:
        return f"{teller.name(self.who)}: {Scores(open=self.scores).words(teller)}"

    def fold(self, state: State) -> State:
        """A rewind may have gone back to before they were there."""
        if self.who not in state.characters:
            return state
        sheet = state.characters[self.who].sheet
        return state.changed(self.who, scores=sheet.scores.opened(), gear=sheet.carried, kept=())


@NPCS.command("open_scores")
class OpenScores(Command):
    """Let everyone know somebody's scores and what they carry, for good."""

    who: Annotated[CharacterId, Doc("whose scores")]

    def does(self, call: Call) -> list[ScoresOpened]:
        who = call.state.find(self.who)
        if not who.sheet.scores.closed:
            raise Refusal(f"Everyone knows {who.name}’s scores.", code="no_change")
        return [ScoresOpened(who=who.id, scores=who.sheet.scores.opened().open)]
