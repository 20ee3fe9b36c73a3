"""The scene: threats, aspects, help, and facts made true by a success, a yes or a Narrative Injection.

NJ-03, NJ-18, NJ-22, NJ-23, NJ-25, NJ+04.
"""

from collections.abc import Iterable
from enum import Enum
from typing import Annotated, Any, TypeAlias

from astragal.game import BadFields, Chapter, Command, Event, Kept, Nature, Refusal, Role, Scope, Seen, Teller, replace
from astragal.game.fields import CharacterId, Doc, Ge, Label, Le, MaxLen, Name, Names, Suggests, Words
from astragal.game.shared import MoveKind, NameOfFoe, Revealed, WhichFoe, ends_with, from_setting

from .hand import dice_words
from .state import Aspect, Call, Fact, Injection, Span, State, Threat, Track, find_able

SCENE = Chapter(seen=Seen.ALL)

# ---------------------------------------------------------------- threats

ThreatId: TypeAlias = Annotated[str, MaxLen(60), Names("threat")]


def threat_row(threat: Threat, _: Teller) -> str:
    boss = "a boss, " if threat.boss else ""
    return f"{boss}level {threat.level}, {threat.track.value}"


KEPT_THREATS = Kept(
    SCENE,
    Threat,
    board="Threats",
    row=("{name}", threat_row),
    moves={MoveKind.ESCALATE: "let “{name}” come closer (level {level})"},
)


@KEPT_THREATS.put("threat_raised")
class ThreatRaised(Event):
    """NJ+04: an enemy or a danger appeared."""

    threat: Threat

    def says(self, _: Teller) -> str:
        threat = self.threat
        words = f"{threat.name} threatens the {THREATENED[threat.track]}: level {threat.level}"
        if threat.boss:
            words += ", a boss"
        return f"{words}. {threat.about}" if threat.about else words


THREATENED = {Track.PHYSICAL: "body", Track.MENTAL: "mind"}


@SCENE.command("raise_threat")
class RaiseThreat(Command):
    """Put an enemy or a danger on the table. It never rolls."""

    name: NameOfFoe = ""
    foe: WhichFoe = None
    level: Annotated[
        int | None, Ge(1), Le(20), Doc("NJ+04: successes to hit it, and to defend: 1 easy, 4 hard; a foe has its own")
    ] = None
    boss: Annotated[bool, Doc("whether a failed defence costs 1 more")] = False
    track: Annotated[Track, Label("harms"), Doc("whether it harms the body or the mind")] = Track.PHYSICAL
    about: Annotated[Words, Doc("who or what it is; all can read it")] = ""

    def does(self, call: Call) -> list[ThreatRaised]:
        if not call.state.options.threats:
            raise Refusal("This table plays without threat levels.", code="switched_off")
        names = [threat.name for threat in KEPT_THREATS.each(call.state)]
        threat = from_setting(call, self, taken=names)
        if threat.level is None:
            raise BadFields(["level is missing: say how hard it is to hit, from 1 to 20"], [("level",)])
        KEPT_THREATS.check_free(call, threat.name)
        return [ThreatRaised(threat=KEPT_THREATS.new(call, threat))]


@KEPT_THREATS.taken("threat_ended", says="{threat.name} is no threat any more")
class ThreatEnded(Event):
    """NJ+04: a threat is gone."""

    threat: Threat


@SCENE.command("end_threat")
class EndThreat(Command):
    """Take a threat off the table."""

    threat: Annotated[ThreatId, Doc("the threat, by its name")]

    def does(self, call: Call) -> list[ThreatEnded]:
        return [ThreatEnded(threat=KEPT_THREATS.find(call, self.threat))]


# ---------------------------------------------------------------- aspects

AspectId: TypeAlias = Annotated[str, MaxLen(60), Names("aspect")]
Invoked: TypeAlias = Annotated[tuple[Annotated[str, MaxLen(60)], ...], Suggests("aspect")]
"""Names of aspects. NJ-19: traits on the sheet may be named, too."""


def aspect_row(aspect: Aspect, _: Teller) -> str:
    words = f"{aspect.dice:+d}"
    return f"{words} for the story" if aspect.span is Span.STORY else words


KEPT_ASPECTS = Kept(
    SCENE,
    Aspect,
    # NJ-23: an aspect that is still concealed by a hidden difficulty is not listed
    listed=lambda aspect: aspect.hidden is not True,
    board="Aspects",
    row=("{name}", aspect_row),
    moves={MoveKind.TERRAIN: "turn it against the heroes, or take it away: “{name}”"},
)
"""NJ-23: known aspects are listed at the table with their dice and invoked by name, so each name is unique."""


# ---------------------------------------------------------------- granting


@KEPT_ASPECTS.put("aspect_made")
class AspectMade(Event):
    """NJ-18, NJ-23: something lends dice from now on."""

    aspect: Aspect

    def says(self, teller: Teller) -> str:
        aspect = self.aspect
        words = f"“{aspect.name}” lends {dice_words(aspect.dice)}"
        if aspect.open_to is not None:
            words += f" to {', '.join(map(teller.name, aspect.open_to))}"
        if aspect.once:
            words += " for one roll"
        if aspect.span is Span.STORY:
            words += " for the story"
        return words


class Preset(Enum):
    """NJ-18, NJ-25: aspects that the book has dice for."""

    HIGH_GROUND = "high ground"
    GOOD_LIGHT = "good light"
    SURPRISE = "surprise"
    PERFECT_CONDITIONS = "perfect conditions"
    SCENE_INJECTION = "scene injection"
    MAJOR_TACTICAL_ADVANTAGE = "major tactical advantage"


PRESET_DICE = dict.fromkeys(Preset, (1,)) | {Preset.SURPRISE: (1, 2), Preset.MAJOR_TACTICAL_ADVANTAGE: (2,)}
"""NJ-18: the dice that the book gives; where it leaves a choice, the first is the default."""


def people(state: State, named_ids: Iterable[str] | None) -> tuple[str, ...] | None:
    """Return the ids of characters, each once; None stands for everyone."""
    if named_ids is None:
        return None
    ids = [state.find(who).id for who in named_ids]
    return tuple(dict.fromkeys(ids))


@SCENE.command("grant_aspect")
class GrantAspect(Command):
    """Say that something in the scene or the story lends dice."""

    name: Annotated[Name, Doc("what it is called")]
    dice: Annotated[int | None, Ge(1), Le(2), Doc("1 or 2; left out, as the preset says, or 1")] = None
    preset: Annotated[Preset | None, Doc("NJ-18: one of the book's, which knows its dice")] = None
    span: Annotated[Span, Label("lasts"), Doc("whether it goes with the scene or lasts through the story")] = Span.SCENE
    open_to: Annotated[
        tuple[CharacterId, ...] | None, Label("who may use it"), Doc("who may invoke it; left out, everyone")
    ] = None
    once: Annotated[bool, Label("only once"), Doc("whether it goes with the first roll that invokes it")] = False

    def does(self, call: Call) -> list[AspectMade]:
        """NJ-18: 1 or 2 dice, within what the preset allows."""
        KEPT_ASPECTS.check_free(call, self.name)
        allowed = PRESET_DICE[self.preset] if self.preset else (1,)
        if self.preset and self.dice not in (None, *allowed):
            choices = " or ".join(map(str, allowed))
            raise Refusal(f"“{self.preset.value}” gives {choices}, not {self.dice}.", code="preset")
        open_to = people(call.state, self.open_to)
        aspect = KEPT_ASPECTS.new(call, self, dice=self.dice or allowed[0], open_to=open_to)
        return [AspectMade(aspect=aspect)]


# ---------------------------------------------------------------- allowing and ending


@KEPT_ASPECTS.put("aspect_allowed")
class AspectAllowed(Event):
    """NJ-23: the game master changed who may invoke an aspect."""

    aspect: Aspect

    def says(self, teller: Teller) -> str:
        open_to = self.aspect.open_to
        if open_to is None:
            return f"“{self.aspect.name}” is open to everyone"
        names = ", ".join(map(teller.name, open_to)) or "nobody"
        return f"“{self.aspect.name}” is open to {names}"


@SCENE.command("allow_aspect")
class AllowAspect(Command):
    """Say who may invoke an aspect."""

    aspect: Annotated[AspectId, Doc("the aspect, by its name")]
    open_to: Annotated[tuple[CharacterId, ...] | None, Label("who may use it"), Doc("who may; left out, everyone")] = (
        None
    )

    def does(self, call: Call) -> list[AspectAllowed]:
        aspect = KEPT_ASPECTS.find(call, self.aspect)
        open_to = people(call.state, self.open_to)
        if open_to == aspect.open_to:
            raise Refusal(f"“{aspect.name}” is open to them already.", code="no_change")
        return [AspectAllowed(aspect=replace(aspect, open_to=open_to))]


@KEPT_ASPECTS.taken("aspect_ended", says="“{aspect.name}” is over[ ({why})]")
class AspectEnded(Event):
    """NJ-23: an aspect holds no longer."""

    aspect: Aspect
    why: str = ""


@SCENE.command("end_aspect")
class EndAspect(Command):
    """Say that an aspect no longer holds."""

    aspect: Annotated[AspectId, Doc("the aspect, by its name")]

    def does(self, call: Call) -> list[AspectEnded]:
        return [AspectEnded(aspect=KEPT_ASPECTS.find(call, self.aspect))]


@ends_with(SCENE, "scene")
def aspects_end_with_their_scene(state: State, why: str) -> list[AspectEnded]:
    """NJ-18, NJ-23: aspects of the scene end with it."""
    aspects_of_scene = [aspect for aspect in state.game.aspects.values() if aspect.span is Span.SCENE]
    return [AspectEnded(aspect=aspect, why=why) for aspect in aspects_of_scene]


# ---------------------------------------------------------------- help


@SCENE.command("offer_help", actor="who")
class OfferHelp(Command):
    """Help somebody with their next roll: an aspect of 1 die, or of 2 if several help."""

    who: Annotated[CharacterId, Doc("who helps")]
    whom: Annotated[CharacterId, Doc("who is helped")]

    def does(self, call: Call) -> list[AspectMade]:
        """NJ-25: help is an aspect for the next roll: 1 die, or 2 from several."""
        state = call.state
        helper = find_able(state, self.who)
        helped = state.find(self.whom)
        if helper.id == helped.id:
            raise Refusal(f"{helper.name} can't help with their own roll.", code="own_help")
        id_of_help = f"help-{helped.id}"
        earlier_help = state.game.aspects.get(id_of_help)
        earlier_helpers = earlier_help.helpers if earlier_help else ()
        if helper.id in earlier_helpers:
            raise Refusal(f"{helper.name} helps {helped.name} already.", code="no_change")
        helpers = (*earlier_helpers, helper.id)
        names = [state.characters[who].name for who in helpers if who in state.characters]
        aspect = Aspect(
            id=id_of_help,
            name=f"help from {' and '.join(names)}",
            dice=min(2, len(helpers)),
            span=Span.SCENE,
            open_to=(helped.id,),
            helpers=helpers,
            once=True,
        )
        return [AspectMade(aspect=aspect)]


# ---------------------------------------------------------------- facts

InjectionId: TypeAlias = Annotated[str, MaxLen(40), Names("injection")]


KEPT_FACTS = Kept(
    SCENE,
    Fact,
    name="words",
    board="Come true",
    row=("{words}", "{by}"),
    newest=8,  # a story has many
    moves={
        MoveKind.OMEN: "show a side of it that nobody thought of: “{words}”",
        MoveKind.BARGAIN: "offer what they want, if this stops being true: “{words}”",
    },
)
"""NJ-03: facts that came true, whole."""
KEPT_INJECTIONS = Kept(SCENE, Injection, name="fact")


# ---------------------------------------------------------------- out of hiding


@SCENE.event("came_to_light", nature=Nature.LASTING, says="It came true: {words}[ (“{aspect}” lends 1 die)]")
class CameToLight(Event):
    """NJ-03: the difficulty was revealed, and with it what a success had made true."""

    fact: str
    words: Words
    aspect: str
    """The aspect that was made, by name; empty where there is none."""

    def fold(self, state: State) -> State:
        """The fact and the aspect that one roll made have the same id."""
        state = KEPT_FACTS.changed(state, self.fact, hidden=False)
        return KEPT_ASPECTS.changed(state, self.fact, hidden=False)


@SCENE.after(Revealed)
def revealing_tells_what_is_true(state: State, revealed: Revealed) -> list[CameToLight]:
    """NJ-03: revealing a difficulty also reveals the fact and the aspect that its roll made."""
    fact = state.game.facts.get(revealed.act)
    aspect = state.game.aspects.get(revealed.act)
    if fact is None or not fact.hidden:
        return []
    revealed_aspect = aspect.name if aspect is not None and aspect.hidden else ""
    return [CameToLight(fact=fact.id, words=fact.words, aspect=revealed_aspect)]


# ---------------------------------------------------------------- Narrative Injection


@KEPT_INJECTIONS.put("injected", says="{injection.seat} injects: {injection.fact}")
class Injected(Event):
    """NJ-22: a player put a fact into the story."""

    injection: Injection

    def in_short(self, _: Teller) -> str:
        return self.injection.fact

    def fold(self, state: State) -> State:
        injection = self.injection
        return KEPT_FACTS.put_on(state, Fact(id=injection.id, by=injection.seat, words=injection.fact))


@SCENE.command("inject", title="Inject a fact", may={Role.PLAYER: Scope.ANY})
class Inject(Command):
    """Put a fact into the story, once a session, without dice or points."""

    fact: Annotated[Words, Doc("what is true from now on")]
    aspect: Annotated[Name | None, Doc("an aspect that the fact makes")] = None
    span: Annotated[Span, Label("lasts"), Doc("whether that aspect goes with the scene or lasts")] = Span.SCENE

    def does(self, call: Call) -> list[Any]:
        """NJ-22: once per session and player. A veto gives it back, and so does a new evening."""
        seat = call.viewer.seat
        evening = call.state.calendar.evening
        if not self.fact.strip():
            raise Refusal("Say what is true from now on.", code="no_fact", field="fact")
        for earlier in call.state.game.injections.values():
            if earlier.seat == seat and earlier.evening == evening:
                raise Refusal("You have made your Narrative Injection of this session.", code="injected")
        injection = Injection(id=call.fresh, seat=seat, fact=self.fact, evening=evening)
        if self.aspect is None:
            return [Injected(injection=injection)]
        KEPT_ASPECTS.check_free(call, self.aspect)
        aspect = Aspect(id=call.fresh, name=self.aspect, dice=1, span=self.span)
        return [Injected(injection=injection), AspectMade(aspect=aspect)]


@KEPT_INJECTIONS.taken("injection_vetoed", says="the injection is vetoed[ ({why})]; {injection.seat} may make another")
class InjectionVetoed(Event):
    """NJ-22: the game master took an injection back out; its player may make another."""

    injection: Injection
    why: Words

    def fold(self, state: State) -> State:
        return KEPT_FACTS.take_off(state, self.injection.id)


@SCENE.command("veto_injection")
class VetoInjection(Command):
    """Take an injection back out of the story. Its player may inject again."""

    injection: Annotated[InjectionId, Label("fact")]
    why: Annotated[Words, Doc("why it can't be")] = ""

    def does(self, call: Call) -> list[Any]:
        """NJ-22, ruling: a veto takes fact and aspect out, and gives the injection back."""
        injection = KEPT_INJECTIONS.find(call, self.injection)
        aspect = KEPT_ASPECTS.get(call.state, injection.id)
        vetoed = InjectionVetoed(injection=injection, why=self.why)
        return [vetoed, AspectEnded(aspect=aspect)] if aspect else [vetoed]
