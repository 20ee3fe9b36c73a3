"""Reactions: NPCs never roll. When one acts, the player it concerns is prompted to react. NS-08."""

from __future__ import annotations

from typing import Annotated, Any

from typing_extensions import Doc

from astragal.game import GAME_MASTER_ONLY, Chapter, Command, Event, Refusal, Seen, Teller
from astragal.game.fields import CharacterId

from .approaches import KEPT_APPROACHES, Said
from .calling import Hidden, TargetSaid, asking_to_roll, target_of
from .state import Approach, Attribute, Call, Called, Threat, find_able, find_roller

REACTIONS = Chapter(seen=Seen.ALL)


@KEPT_APPROACHES.put("reaction_prompted")
class ReactionPrompted(Event):
    """Something comes at a hero, who has to react: an approach that the player has yet to describe."""

    approach: Approach

    def says(self, teller: Teller) -> str:
        threat = self.approach.threat
        by = f"{teller.name(threat.by)}: " if threat and threat.by else ""
        return f"{teller.name(self.approach.who)} has to react. {by}{self.approach.title}"


@REACTIONS.command("prompt_reaction", may=GAME_MASTER_ONLY)
class PromptReaction(Command):
    """Act against a hero: the player describes how they react, and rolls. Attribute and target may be named later."""

    who: Annotated[CharacterId, Doc("who has to react")]
    words: Annotated[Said, Doc("what comes at them")]
    by: Annotated[CharacterId | None, Doc("who does it")] = None
    harmful: Annotated[bool, Doc("whether a failed reaction harms")] = True
    attribute: Annotated[Attribute | None, Doc("what is rolled")] = None
    target: Annotated[TargetSaid | None, Doc("what to beat, by number or name; usually 4 to 20")] = None
    hidden: Hidden = False
    hurt: Annotated[Attribute | None, Doc("what a failed defence takes; else the one rolled")] = None

    def does(self, call: Call) -> list[Any]:
        """NS-08: it waits for the player. NS-12: the knocked-out get no reaction."""
        who = find_roller(call.state, self.who)
        by = None if self.by is None else find_able(call.state, self.by)
        if by is not None and by.sheet.is_hero:
            raise Refusal(f"{by.name} is a hero: set the two approaches against each other.", code="hero")
        if (self.attribute is None) != (self.target is None):
            raise Refusal(
                "Name attribute and target together, or both when they have described it.", code="half_called"
            )
        threat = Threat(words=self.words, by=by.id if by else None, harmful=self.harmful)
        prompted = ReactionPrompted(approach=Approach(id=call.fresh, who=who.id, threat=threat))
        if self.attribute is None:
            return [prompted]
        assert self.target is not None  # noqa: S101 - they are named together
        called = Called(request=call.fresh, attribute=self.attribute, against=self.by, hurt=self.hurt)
        target = target_of(self.target)
        return [prompted, *asking_to_roll(call.state, prompted.approach, called, target, hidden=self.hidden)]
