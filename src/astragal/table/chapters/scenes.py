"""Scenes: entering one, leaving it by an option, ending it. The present scene is part of the story and rewound with it.

A scene that was not written beforehand can be improvised. Players see a scene once the story has reached it, but never
its hidden options. Only the game master sees where an option leads.
"""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from annotated_types import Ge, Le, MaxLen, MinLen
from typing_extensions import Doc

from astragal.table.authoring.chapter import Call, Chapter, Command, Event
from astragal.table.authoring.kept import Kept
from astragal.table.authoring.log_lines import Teller
from astragal.table.chapters.pictures import PlateId, find_picture
from astragal.table.chapters.safety import check_goes_on
from astragal.table.commands.builtin import SaveNodeMarked
from astragal.table.declarations import GAME_MASTER_ONLY, Nature, Seen, Viewer, replace
from astragal.table.fields.definitions import FreeText, Label, Name, Names, Words
from astragal.table.fields.lookup import Named, find, labels
from astragal.table.refusals import NoSuchThing, OpensRolls, Refusal
from astragal.table.state.pictures import plate_for
from astragal.table.state.table import State
from astragal.table.state.things import Alt, Option, Scene, Way
from astragal.table.visibility.redact import WITHHELD

__all__ = ["SceneBegan", "SceneEnded", "present_scene"]

SCENES = Chapter(seen=Seen.ALL)

SceneId = Annotated[str, MaxLen(40), Names("scene")]
WayOn = Annotated[str, MinLen(1), MaxLen(300), FreeText()]
Number = Annotated[int, Ge(1), Le(4), Names("option")]
ClosedRollId = Annotated[str, MaxLen(200), Names("closed roll")]
Keep = Annotated[
    tuple[ClosedRollId, ...] | None,
    Names("closed roll"),
    Label("keep sealed"),
    Doc("closed rolls that stay sealed when the present scene ends, by name; all others are opened for everyone"),
]
"""If it is left out and the end of the scene would open rolls, the command is refused; the refusal lists the rolls."""


KEPT_SCENES = Kept(SCENES, Scene, "scenes", "scene", name="title", shared=True)


def present_scene(state: State) -> Scene | None:
    """Return the scene that the story is in, or None."""
    return None if state.calendar.scene is None else state.scenes[state.calendar.scene]


def _find_present(state: State) -> Scene:
    scene = present_scene(state)
    if scene is None:
        raise Refusal("No scene has begun.", code="not_begun")
    return scene


def _find_option(state: State, number: int) -> tuple[Scene, Option]:
    scene = _find_present(state)
    for option in scene.options:
        if option.number == number:
            return scene, option
    raise NoSuchThing(f"“{scene.title}” has no option {number}; it has {len(scene.options)}.")


@SCENES.names("option")
def options_named(state: State) -> list[Named]:
    """Ways on from the present scene, by number."""
    scene = present_scene(state)
    return [Named(str(option.number), option.words) for option in scene.options] if scene else []


@SCENES.names("way on")
def ways_named(state: State) -> list[Named]:
    """Words of the ways on that players see, as suggestions of what to do."""
    scene = present_scene(state)
    ways = (option for option in scene.options if option.way is not Way.HIDDEN) if scene else ()
    return [Named(option.words, option.words) for option in ways]


@SCENES.names("closed roll")
def closed_rolls_named(state: State) -> list[Named]:
    return _rolls_named(state.closed_rolls)


@SCENES.names("sealed roll")
def sealed_rolls_named(state: State) -> list[Named]:
    """Rolls that stay sealed when a scene ends: secret ones, and closed ones that were kept."""
    return _rolls_named(state.sealed_rolls)


def _rolls_named(rolls: Mapping[str, str]) -> list[Named]:
    return [] if rolls is WITHHELD else [Named(act, name) for act, name in rolls.items()]


def _in_words(number: int, words: str, way: Way) -> str:
    return f"{number}. {words} (risky)" if way is Way.RISKY else f"{number}. {words}"


# ---------------------------------------------------------------- entered and left


@SCENES.event("scene_began")
class SceneBegan(Event):
    """A scene began; the options that players see follow."""

    scene: str
    title: Name
    hook: Words
    action: Words
    consequence: Words
    picture: str = ""
    alt: Alt = ""

    def says(self, _: Teller) -> str:
        paragraphs = [part for part in (self.hook, self.action, self.consequence) if part]
        return "\n\n".join([f"“{self.title}” begins", *paragraphs])

    def fold(self, state: State) -> State:
        improvised = Scene(id=self.scene, title=self.title, hook=self.hook, picture=self.picture, alt=self.alt)
        scene = replace(state.scenes.get(self.scene, improvised), entered=True)
        return KEPT_SCENES.put_on(replace(state, calendar=replace(state.calendar, scene=scene.id)), scene)


@SCENES.event("option_offered")
class OptionOffered(Event):
    """A way on from the scene was shown to all."""

    scene: str
    number: int
    words: WayOn
    way: Way

    def says(self, _: Teller) -> str:
        return _in_words(self.number, self.words, self.way)


def _entering(call: Call, scene: Scene) -> list[SceneBegan | OptionOffered | SaveNodeMarked]:
    began = SceneBegan(
        scene=scene.id,
        title=scene.title,
        hook=scene.hook,
        action=scene.action,
        consequence=scene.consequence,
        picture=plate_for(scene, call.state.setting.cover),
        alt=scene.alt,
    )
    offered = [
        OptionOffered(scene=scene.id, number=option.number, words=option.words, way=option.way)
        for option in scene.options
        if option.way is not Way.HIDDEN
    ]
    marked = [SaveNodeMarked(node=call.fresh, label=scene.title)] if scene.save_node else []
    return [began, *offered, *marked]


@SCENES.event("scene_ended", says="“{title}” ends")
class SceneEnded(Event):
    """A scene ended."""

    scene: str
    title: Name
    kept: Annotated[tuple[str, ...], Seen.GAME_MASTER] = ()
    """Closed rolls that stay sealed; all others open."""

    def fold(self, state: State) -> State:
        return replace(state, calendar=replace(state.calendar, scene=None))


def _leaving(state: State, keep: Sequence[str] | None) -> list[SceneEnded]:
    """Return the end of the present scene. Refused without `keep` if it would open rolls, which are listed then."""
    scene = present_scene(state)
    if scene is None:
        return []
    if keep is None and state.closed_rolls:
        raise OpensRolls(labels(closed_rolls_named(state), state))
    kept_rolls = tuple(closed_roll(state, name) for name in keep or ())
    return [SceneEnded(scene=scene.id, title=scene.title, kept=kept_rolls)]


def closed_roll(state: State, name: str) -> str:
    """Find a closed roll by id or name; returns the id of its command."""
    return find(labels(closed_rolls_named(state), state), name, "closed roll")


@SCENES.command("begin_scene", may=GAME_MASTER_ONLY)
class BeginScene(Command):
    """Begin a scene that was written. The present one ends, and its closed rolls open, but for those you keep."""

    scene: Annotated[SceneId, Doc("the scene")]
    keep: Keep = None

    def does(self, call: Call) -> list[Any]:
        scene = KEPT_SCENES.find(call, self.scene)
        if scene.id == call.state.calendar.scene:
            raise Refusal("The story is in that scene already.", code="no_change")
        check_goes_on(call.state)
        return [*_leaving(call.state, self.keep), *_entering(call, scene)]


@SCENES.command("improvise_scene", title="Open a scene", may=GAME_MASTER_ONLY)
class ImproviseScene(Command):
    """Begin a scene that nobody wrote. The present one ends, and its closed rolls open, but for those you keep."""

    title: Annotated[Name, Doc("what the scene is called")]
    hook: Annotated[Words, Doc("how it begins")] = ""
    picture: Annotated[PlateId | None, Doc("its picture; without one, a plate that fits")] = None
    keep: Keep = None

    def does(self, call: Call) -> list[Any]:
        check_goes_on(call.state)
        chosen = find_picture(call, self.picture)
        scene = Scene(id=call.fresh, title=self.title, hook=self.hook, picture=chosen.reference, alt=chosen.alt)
        return [*_leaving(call.state, self.keep), *_entering(call, scene)]


@SCENES.command("end_scene", may=GAME_MASTER_ONLY)
class EndScene(Command):
    """End the present scene. Its closed rolls open, but for those you keep."""

    keep: Keep = None

    def does(self, call: Call) -> list[SceneEnded]:
        _find_present(call.state)
        return _leaving(call.state, self.keep)


# ---------------------------------------------------------------- options


@SCENES.event("option_taken")
class OptionTaken(Event):
    """The story took a way on. If it was hidden, players see only where it leads."""

    scene: str
    number: int
    words: WayOn
    way: Way
    leads_to: Annotated[str | None, Seen.GAME_MASTER]

    def is_for(self, viewer: Viewer) -> bool:
        return viewer.is_game_master or self.way is not Way.HIDDEN

    def says(self, _: Teller) -> str:
        return f"taken: {_in_words(self.number, self.words, self.way)}"


@SCENES.command("take_option", may=GAME_MASTER_ONLY)
class TakeOption(Command):
    """Leave the scene by an option, for the scene that it leads to. Closed rolls open, but for those you keep."""

    number: Annotated[Number, Label("way on"), Doc("the option's number")]
    keep: Keep = None

    def does(self, call: Call) -> list[Any]:
        scene, option = _find_option(call.state, self.number)
        check_goes_on(call.state)
        option_taken = OptionTaken(
            scene=scene.id, number=option.number, words=option.words, way=option.way, leads_to=option.leads_to
        )
        next_scene = call.state.scenes.get(option.leads_to or "")
        return [option_taken, *_leaving(call.state, self.keep), *(_entering(call, next_scene) if next_scene else [])]


@SCENES.event("option_opened", nature=Nature.LASTING)
class OptionOpened(Event):
    """A hidden way on was shown, for good."""

    scene: str
    before: Annotated[int, Seen.GAME_MASTER]
    """Its number while it was hidden."""
    number: int
    words: WayOn
    way: Way

    def says(self, _: Teller) -> str:
        return f"another way: {_in_words(self.number, self.words, self.way)}"

    def fold(self, state: State) -> State:
        """Give the option its new number; options that are still hidden are numbered after it."""
        scene = state.scenes.get(self.scene)
        if scene is None:
            return state
        visible = []
        opened = []
        hidden = []
        for option in scene.options:
            if option.number == self.before:
                opened.append(replace(option, way=self.way))
            elif option.way is Way.HIDDEN:
                hidden.append(option)
            else:
                visible.append(option)
        options = tuple(replace(option, number=number) for number, option in enumerate([*visible, *opened, *hidden], 1))
        return KEPT_SCENES.put_on(state, replace(scene, options=options))


@SCENES.command("open_option", may=GAME_MASTER_ONLY)
class OpenOption(Command):
    """Show a hidden option of the present scene. It becomes the next number that players see."""

    number: Annotated[Number, Label("way on"), Doc("the hidden option's number")]
    risky: Annotated[bool, Doc("whether it is shown as risky")] = False

    def does(self, call: Call) -> list[OptionOpened]:
        scene, option = _find_option(call.state, self.number)
        if option.way is not Way.HIDDEN:
            raise Refusal(f"Option {option.number} is not hidden.", code="no_change")
        visible = sum(any_option.way is not Way.HIDDEN for any_option in scene.options)
        way = Way.RISKY if self.risky else Way.OPEN
        return [OptionOpened(scene=scene.id, before=option.number, number=visible + 1, words=option.words, way=way)]
