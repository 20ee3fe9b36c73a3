"""A scene on its way to be written: what stands in its form."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from astragal.table.state.things import Scene, Way

MOST_WAYS = 4


@dataclass(frozen=True)
class WayDraft:
    words: str = ""
    way: str = Way.OPEN.value
    leads_to: str = ""


@dataclass(frozen=True, kw_only=True)
class Draft:
    scene: str = ""
    """None for a new one."""
    title: str = ""
    hook: str = ""
    action: str = ""
    consequence: str = ""
    save_node: bool = False
    rows: tuple[WayDraft, ...]


def draft_of_scene(scene: Scene) -> Draft:
    ways = (WayDraft(one.words, one.way.value, one.leads_to or "") for one in scene.options)
    return Draft(
        scene=scene.id,
        title=scene.title,
        hook=scene.hook,
        action=scene.action,
        consequence=scene.consequence,
        save_node=scene.save_node,
        rows=_filled_up(ways),
    )


def draft_of_fields(fields: Mapping[str, Any]) -> Draft:
    """A draft from submitted fields; what is missing is empty."""
    ways = (
        WayDraft(*(str(one.get(name) or usual) for name, usual in (("words", ""), ("way", "open"), ("leads_to", ""))))
        for one in fields.get("options") or ()
    )
    texts = {name: str(fields.get(name) or "") for name in ("scene", "title", "hook", "action", "consequence")}
    return Draft(**texts, save_node=fields.get("save_node") is True, rows=_filled_up(ways))


def _filled_up(ways: Iterable[WayDraft]) -> tuple[WayDraft, ...]:
    there = tuple(ways)
    return (*there, *(WayDraft() for _ in range(MOST_WAYS - len(there))))
