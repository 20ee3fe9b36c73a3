"""Pictures where nobody has chosen: a plate that fits a scene's words, a face by a name. Always the same ones."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from hashlib import sha256

from astragal.table.state.scenes import Scene
from astragal.table.state.setting import Setting
from astragal.table.state.shipped_pictures import PLATES, PORTRAITS
from astragal.table.state.table import CastMember, State

_WORD = re.compile(r"[^\W\d_]+")
_NUMBER = re.compile(r" \d+$")


def plate_for(scene: Scene, cover: str) -> str:
    """The plate of a scene: the one that was chosen, or the one whose words its title and hook have most of."""
    if scene.picture:
        return scene.picture
    title, hook = _words(scene.title), _words(scene.hook)
    fitting = {name: 2 * len(plate.words & title) + len(plate.words & hook) for name, plate in PLATES.items()}
    best = max(fitting.values())
    if best == 0:
        return f"plates/{cover}" if cover in PLATES else _one_of(PLATES, "plates", scene.title)
    return f"plates/{next(name for name, count in fitting.items() if count == best)}"


def portraits_of(state: State) -> Mapping[str, str]:
    """The portrait of everybody in the story: the chosen one, or one by their name, and no two alike by chance."""
    return _portraits(tuple(state.cast.values()))


@lru_cache(maxsize=256)
def _portraits(cast: tuple[CastMember, ...]) -> Mapping[str, str]:
    chosen = {one.id: one.portrait for one in cast if one.portrait}
    free = [name for name in PORTRAITS if f"portraits/{name}" not in chosen.values()]
    for one in cast:
        if one.id not in chosen:
            words = _words(one.name)
            pool = [name for name in free if PORTRAITS[name].words & words]
            pool = pool or [name for name in free if one.seat is None or not PORTRAITS[name].foe] or list(PORTRAITS)
            chosen[one.id] = _one_of(pool, "portraits", one.name)
            free = [name for name in free if f"portraits/{name}" != chosen[one.id]]
    return {one.id: chosen[one.id] for one in cast}


def plate_in(setting: Setting, scene: str) -> str:
    """The plate that a setting's adventure has for a scene, by its id."""
    scenes = setting.adventure.scenes if setting.adventure else ()
    return next((one.picture for one in scenes if one.id == scene), "")


def portrait_in(setting: Mapping[str, str], name: str) -> str:
    """The portrait that a setting has for somebody; a second one of the same name looks the same."""
    found = setting.get(name) or setting.get(_NUMBER.sub("", name))
    return f"portraits/{found}" if found else ""


def alt_of(reference: str, said: str = "") -> str:
    """What a picture shows, in words."""
    folder, _, name = reference.partition("/")
    ours = {"plates": PLATES, "portraits": PORTRAITS}.get(folder, {}).get(name)
    return said or (ours.alt if ours else "")


def _words(text: str) -> frozenset[str]:
    return frozenset(word.casefold() for word in _WORD.findall(text))


def _one_of(names: Iterable[str], folder: str, said: str) -> str:
    known = list(names)
    return f"{folder}/{known[int.from_bytes(sha256(said.casefold().encode()).digest()[:4], 'big') % len(known)]}"
