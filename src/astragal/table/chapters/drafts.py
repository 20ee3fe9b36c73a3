"""Drafts of scenes. Only the game master sees a draft until the story reaches it.

Drafts last through rewinds: they are preparation, not story.
"""

from typing import Annotated

from typing_extensions import Doc

from astragal.table.authoring.chapter import Call, Chapter, Command, Event
from astragal.table.authoring.log_lines import Teller
from astragal.table.chapters.pictures import PlateId, find_picture
from astragal.table.chapters.scenes import KEPT_SCENES, SceneId, WayOn
from astragal.table.declarations import GAME_MASTER_ONLY, Nature, Seen, Value, Viewer
from astragal.table.fields.definitions import Label, Name, Words
from astragal.table.refusals import NoSuchThing, Refusal
from astragal.table.state.pictures import alt_of, plate_in
from astragal.table.state.table import State
from astragal.table.state.things import Alt, Option, Scene, Way
from astragal.table.visibility.redact import WITHHELD

DRAFTS = Chapter(seen=Seen.ALL)

FEWEST_OPTIONS = 2
MOST_OPTIONS = 4
FEWEST_WORDS = 200
MOST_WORDS = 500

# ---------------------------------------------------------------- written


@DRAFTS.event("scene_written", nature=Nature.LASTING)
class SceneWritten(Event):
    """A scene was written; its options follow."""

    scene: str
    title: Name
    hook: Words
    action: Words
    consequence: Words
    save_node: Annotated[bool, Seen.GAME_MASTER]
    entered: bool
    length: Annotated[int, Seen.GAME_MASTER]
    """Number of words in hook, action and consequence together."""
    options: Annotated[int, Seen.GAME_MASTER]
    perils: Annotated[int, Seen.GAME_MASTER]
    """Number of options that are risky or hidden."""

    def is_for(self, viewer: Viewer) -> bool:
        return viewer.is_game_master or self.entered

    def says(self, _: Teller) -> str:
        sentence = f"“{self.title}” is written"
        if self.length is WITHHELD:
            return sentence
        if not FEWEST_WORDS <= self.length <= MOST_WORDS:
            sentence += f"; it has {self.length} words, and {FEWEST_WORDS} to {MOST_WORDS} read best"
        if self.options and not self.perils:
            sentence += "; none of its options is risky or hidden"
        return sentence

    def fold(self, state: State) -> State:
        previous = state.scenes.get(self.scene)
        scene = Scene(
            id=self.scene,
            title=self.title,
            hook=self.hook,
            action=self.action,
            consequence=self.consequence,
            save_node=self.save_node,
            entered=previous is not None and previous.entered,
            picture=previous.picture if previous else "",
            alt=previous.alt if previous else "",
        )
        return KEPT_SCENES.put_on(state, scene)


@DRAFTS.event("option_written", nature=Nature.LASTING, says="{number}. {words}")
class OptionWritten(Event):
    """A way on was written."""

    scene: str
    number: int
    words: WayOn
    way: Way
    leads_to: Annotated[str | None, Seen.GAME_MASTER]
    entered: bool

    def is_for(self, viewer: Viewer) -> bool:
        return viewer.is_game_master or (self.entered and self.way is not Way.HIDDEN)

    def fold(self, state: State) -> State:
        option = Option(number=self.number, words=self.words, way=self.way, leads_to=self.leads_to)
        return KEPT_SCENES.changed(state, self.scene, options=(*state.scenes[self.scene].options, option))


@DRAFTS.event("scene_pictured", nature=Nature.LASTING)
class ScenePictured(Event):
    """A scene got another picture."""

    scene: str
    title: Name
    picture: str
    alt: Alt
    entered: bool

    def is_for(self, viewer: Viewer) -> bool:
        return viewer.is_game_master or self.entered

    def says(self, _: Teller) -> str:
        shows = alt_of(self.picture, self.alt)
        sentence = f"a picture of “{self.title}”"
        return f"{sentence}: {shows}" if shows else sentence

    def fold(self, state: State) -> State:
        return KEPT_SCENES.changed(state, self.scene, picture=self.picture, alt=self.alt)


@DRAFTS.command("set_scene_picture", may=GAME_MASTER_ONLY)
class SetScenePicture(Command):
    """Choose the picture of a scene: one of the shipped plates, or a picture that you brought."""

    scene: Annotated[SceneId, Doc("the scene")]
    picture: Annotated[PlateId | None, Doc("the picture; none goes back to the drawn one")] = None
    alt: Annotated[Alt, Label("what it shows"), Doc("what it shows, for whoever can't see it")] = ""

    def does(self, call: Call) -> list[ScenePictured]:
        scene = KEPT_SCENES.find(call, self.scene)
        chosen = find_picture(call, self.picture or plate_in(call.state.setting, scene.id), self.alt)
        return [
            ScenePictured(
                scene=scene.id, title=scene.title, picture=chosen.reference, alt=chosen.alt, entered=scene.entered
            )
        ]


class OptionDraft(Value):
    """A way on from a scene."""

    words: Annotated[WayOn, Label("way on"), Doc("what the heroes can do")]
    way: Annotated[
        Way, Label("what players see"), Doc("whether it is open, shown as risky, or hidden from players")
    ] = Way.OPEN
    leads_to: Annotated[SceneId | None, Doc("the scene that follows; none means it is not written yet")] = None


@DRAFTS.command("write_scene", may=GAME_MASTER_ONLY)
class WriteScene(Command):
    """Write a scene, or rewrite one. Two to four options lead on; an ending has none."""

    title: Annotated[Name, Doc("what the scene is called")]
    hook: Annotated[Words, Doc("what draws the heroes in")] = ""
    action: Annotated[Words, Doc("what goes on")] = ""
    consequence: Annotated[Words, Doc("what comes of it; best left open")] = ""
    options: Annotated[
        tuple[OptionDraft, ...], Label("ways on"), Doc("two to four ways on, or none for an ending")
    ] = ()
    save_node: Annotated[bool, Doc("whether coming here marks a place to rewind to")] = False
    scene: Annotated[SceneId | None, Label("rewrites"), Doc("the scene to rewrite; none writes a new one")] = None

    def does(self, call: Call) -> list[SceneWritten | OptionWritten]:
        count = len(self.options)
        previous = None if self.scene is None else KEPT_SCENES.find(call, self.scene)
        if count != 0 and not FEWEST_OPTIONS <= count <= MOST_OPTIONS:
            raise Refusal(f"A scene has two to four options, an ending none; this has {count}.", code="options")
        if count and all(option.way is Way.HIDDEN for option in self.options):
            raise Refusal("At least one way on must be one that players see.", code="options")
        if any(option.leads_to not in (None, *call.state.scenes) for option in self.options):
            raise NoSuchThing("An option leads to a scene that is not there.")
        scene = previous.id if previous else call.fresh
        entered = previous.entered if previous else False
        scene_written = SceneWritten(
            scene=scene,
            title=self.title,
            hook=self.hook,
            action=self.action,
            consequence=self.consequence,
            save_node=self.save_node,
            entered=entered,
            length=sum(len(part.split()) for part in (self.hook, self.action, self.consequence)),
            options=count,
            perils=sum(option.way is not Way.OPEN for option in self.options),
        )
        shown_first = sorted(self.options, key=lambda draft: draft.way is Way.HIDDEN)  # their numbers have no gaps
        options = [
            OptionWritten(
                scene=scene, number=number, words=draft.words, way=draft.way, leads_to=draft.leads_to, entered=entered
            )
            for number, draft in enumerate(shown_first, 1)
        ]
        return [scene_written, *options]


# ---------------------------------------------------------------- thrown away


@DRAFTS.event("scene_discarded", nature=Nature.LASTING, seen=Seen.GAME_MASTER, says="“{title}” is thrown away")
class SceneDiscarded(Event):
    """A draft was thrown away."""

    scene: str
    title: Name

    def is_for(self, viewer: Viewer) -> bool:
        return viewer.is_game_master

    def fold(self, state: State) -> State:
        return KEPT_SCENES.take_off(state, self.scene)


@DRAFTS.command("discard_scene", may=GAME_MASTER_ONLY, grave=True)
class DiscardScene(Command):
    """Throw a draft away. Options that led there lead to nothing written."""

    scene: Annotated[SceneId, Doc("the draft")]

    def does(self, call: Call) -> list[SceneDiscarded]:
        scene = KEPT_SCENES.find(call, self.scene)
        if scene.entered:
            raise Refusal(f"“{scene.title}” has been told; only drafts can be thrown away.", code="told")
        return [SceneDiscarded(scene=scene.id, title=scene.title)]
