"""Writing scenes. Drafts are the game master's alone until the story comes there.

What is written lasts through rewinds: it is preparation, not story.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Annotated

from typing_extensions import Doc

from astragal.table.chapters.scenes import SceneId, WayOn
from astragal.table.declarations import Nature, command, event
from astragal.table.fields import Name, Words
from astragal.table.refusals import NoSuchThing, Refusal
from astragal.table.ruleset import Action, Call, Chapter, Happening, Teller
from astragal.table.seats import GAME_MASTER_ONLY, Viewer
from astragal.table.seen import WITHHELD, Seen
from astragal.table.state import State
from astragal.table.things.scenes import Option, Scene, Way
from astragal.values import frozen

FEWEST_OPTIONS, MOST_OPTIONS = 2, 4
FEWEST_WORDS, MOST_WORDS = 200, 500

# ---------------------------------------------------------------- what is asked


@frozen(kw_only=True)
class OptionDraft:
    """A way on from a scene."""

    words: Annotated[WayOn, Doc("what one can do")]
    way: Annotated[Way, Doc("whether it is open, shown as risky, or hidden from players")] = Way.OPEN
    leads_to: Annotated[SceneId | None, Doc("the scene that follows; none means it is not written yet")] = None


@command("write_scene", may=GAME_MASTER_ONLY)
class WriteScene:
    """Write a scene, or write one anew. Two to four options lead on; an ending has none."""

    title: Annotated[Name, Doc("what the scene is called")]
    hook: Annotated[Words, Doc("what draws the heroes in")] = ""
    action: Annotated[Words, Doc("what goes on")] = ""
    consequence: Annotated[Words, Doc("what comes of it; best left tense")] = ""
    options: Annotated[tuple[OptionDraft, ...], Doc("two to four ways on, or none for an ending")] = ()
    save_node: Annotated[bool, Doc("whether coming here marks a place to rewind to")] = False
    scene: Annotated[SceneId | None, Doc("the scene to write anew; none writes a new one")] = None


@command("discard_scene", may=GAME_MASTER_ONLY, grave=True)
class DiscardScene:
    """Throw a draft away. Options that led there lead to nothing written."""

    scene: Annotated[SceneId, Doc("the draft")]


# ---------------------------------------------------------------- what happened


@event("scene_written", nature=Nature.LASTING)
class SceneWritten:
    """A scene was written; its options follow."""

    scene: Annotated[str, Seen.ALL]
    title: Annotated[Name, Seen.ALL]
    hook: Annotated[Words, Seen.ALL]
    action: Annotated[Words, Seen.ALL]
    consequence: Annotated[Words, Seen.ALL]
    save_node: Annotated[bool, Seen.GAME_MASTER]
    entered: Annotated[bool, Seen.ALL]
    length: Annotated[int, Seen.GAME_MASTER]
    """Words in hook, action and consequence together."""
    options: Annotated[int, Seen.GAME_MASTER]
    perils: Annotated[int, Seen.GAME_MASTER]
    """How many of the options are risky or hidden."""

    def is_for(self, viewer: Viewer) -> bool:
        return viewer.is_game_master or self.entered


@event("option_written", nature=Nature.LASTING)
class OptionWritten:
    """A way on was written."""

    scene: Annotated[str, Seen.ALL]
    number: Annotated[int, Seen.ALL]
    words: Annotated[WayOn, Seen.ALL]
    way: Annotated[Way, Seen.ALL]
    leads_to: Annotated[str | None, Seen.GAME_MASTER]
    entered: Annotated[bool, Seen.ALL]

    def is_for(self, viewer: Viewer) -> bool:
        return viewer.is_game_master or (self.entered and self.way is not Way.HIDDEN)


@event("scene_discarded", nature=Nature.LASTING)
class SceneDiscarded:
    """A draft was thrown away."""

    scene: Annotated[str, Seen.GAME_MASTER]
    title: Annotated[Name, Seen.GAME_MASTER]

    def is_for(self, viewer: Viewer) -> bool:
        return viewer.is_game_master


# ---------------------------------------------------------------- deciding


def _write(call: Call, asked: WriteScene, _: None) -> list[SceneWritten | OptionWritten]:
    scenes, count = call.state.scenes, len(asked.options)
    if asked.scene is not None and asked.scene not in scenes:
        raise NoSuchThing("There is no such scene.")
    if count != 0 and not FEWEST_OPTIONS <= count <= MOST_OPTIONS:
        raise Refusal(f"A scene has two to four options, an ending none; this has {count}.", code="options")
    if count and all(option.way is Way.HIDDEN for option in asked.options):
        raise Refusal("At least one way on must be one that players see.", code="options")
    if any(option.leads_to not in (None, *scenes) for option in asked.options):
        raise NoSuchThing("An option leads to a scene that is not there.")
    scene = asked.scene or call.fresh
    entered = scene in scenes and scenes[scene].entered
    return [_written(scene, asked, entered=entered), *_options_written(scene, asked.options, entered=entered)]


def _written(scene: str, asked: WriteScene, *, entered: bool) -> SceneWritten:
    return SceneWritten(
        scene=scene,
        title=asked.title,
        hook=asked.hook,
        action=asked.action,
        consequence=asked.consequence,
        save_node=asked.save_node,
        entered=entered,
        length=sum(len(part.split()) for part in (asked.hook, asked.action, asked.consequence)),
        options=len(asked.options),
        perils=sum(option.way is not Way.OPEN for option in asked.options),
    )


def _options_written(scene: str, drafts: tuple[OptionDraft, ...], *, entered: bool) -> Iterator[OptionWritten]:
    """Hidden options are counted last, so that the numbers that are shown have no gaps."""
    in_order = sorted(drafts, key=lambda draft: draft.way is Way.HIDDEN)
    for number, draft in enumerate(in_order, 1):
        yield OptionWritten(
            scene=scene, number=number, words=draft.words, way=draft.way, leads_to=draft.leads_to, entered=entered
        )


def _discard(call: Call, asked: DiscardScene, _: None) -> list[SceneDiscarded]:
    scene = call.state.scenes.get(asked.scene)
    if scene is None:
        raise NoSuchThing("There is no such scene.")
    if scene.entered:
        raise Refusal(f"“{scene.title}” has been told; only drafts can be thrown away.", code="told")
    return [SceneDiscarded(scene=scene.id, title=scene.title)]


# ---------------------------------------------------------------- folds and words


def _keep(state: State, written: SceneWritten) -> State:
    before = state.scenes.get(written.scene)
    scene = Scene(
        id=written.scene,
        title=written.title,
        hook=written.hook,
        action=written.action,
        consequence=written.consequence,
        save_node=written.save_node,
        entered=before is not None and before.entered,
    )
    return replace(state, scenes={**state.scenes, scene.id: scene})


def _keep_option(state: State, written: OptionWritten) -> State:
    scene = state.scenes[written.scene]
    option = Option(number=written.number, words=written.words, way=written.way, leads_to=written.leads_to)
    return replace(state, scenes={**state.scenes, scene.id: replace(scene, options=(*scene.options, option))})


def _throw_away(state: State, discarded: SceneDiscarded) -> State:
    return replace(state, scenes={key: one for key, one in state.scenes.items() if key != discarded.scene})


def _say_written(written: SceneWritten, _: Teller) -> str:
    remarks = "" if written.length is WITHHELD else "".join(_remarks(written))
    return f"“{written.title}” is written{remarks}"


def _remarks(written: SceneWritten) -> Iterator[str]:
    """What is worth a warning, and never a refusal."""
    if not FEWEST_WORDS <= written.length <= MOST_WORDS:
        yield f"; it has {written.length} words, and {FEWEST_WORDS} to {MOST_WORDS} read best"
    if written.options and not written.perils:
        yield "; none of its options is risky or hidden"


DRAFTS = Chapter(
    actions=(Action(WriteScene, _write), Action(DiscardScene, _discard)),
    happenings=(
        Happening(SceneWritten, _say_written, _keep),
        Happening(OptionWritten, lambda written, teller: f"{written.number}. {written.words}", _keep_option),
        Happening(SceneDiscarded, lambda discarded, teller: f"“{discarded.title}” is thrown away", _throw_away),
    ),
)
