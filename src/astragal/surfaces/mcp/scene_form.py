"""The story's form: scenes of hook, action and consequence, with two to four ways on. Accept, warn or refuse."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Literal

from pydantic import BaseModel, Field

from astragal.surfaces.mcp.execute import Doer
from astragal.surfaces.mcp.idempotency import digest_of, id_for
from astragal.surfaces.mcp.session import Desk
from astragal.surfaces.mcp.tools.results import Done
from astragal.surfaces.mcp.views.secrets import check_keeps_secrets
from astragal.table.chapters.drafts import FEWEST_WORDS, MOST_WORDS
from astragal.table.refusals import Refusal

HOW = (
    "A scene is a hook that draws the heroes in, an action that goes on, and a consequence left tense; then 2 to 4 "
    'options as {"words": …, "way": "open" | "risky" | "hidden"}, one of them risky or hidden. An ending has none.'
)


class Way(BaseModel):
    words: str
    way: Literal["open", "risky", "hidden"] = "open"
    leads_to: str | None = Field(default=None, description="id of a written scene")


def set_scene(
    desk: Desk,
    doer: Doer,
    title: str,
    parts: tuple[str, str, str],
    options: Sequence[Way],
    *,
    save_node: bool,
    begin: bool,
    keep: Sequence[str] | None,
) -> Done:
    """Write the scene and, unless it is to stay a draft, begin it."""
    hook, action, consequence = parts
    _check_form(parts, options)
    if begin:
        desk.check_says_what_opens(keep)
        check_keeps_secrets(desk, [title, *parts, *(option.words for option in options if option.way != "hidden")])
    fields: dict[str, Any] = {
        "title": title,
        "hook": hook,
        "action": action,
        "consequence": consequence,
        "options": [option.model_dump() for option in options],
        "save_node": save_node,
    }
    written = desk.act("write_scene", fields, command_id=id_for(desk, digest_of(desk, "scene", fields), deeds=2))
    told = next(event for event in written.events if event.name == "scene_written")
    warnings = tuple(_warnings(told.fields["length"], told.fields["options"], told.fields["perils"]))
    scene = str(told.fields["scene"])
    if not begin:
        return doer.done(written, warnings=warnings, handle=f"scene:{scene}")
    once = digest_of(desk, "begin", {"scene": scene, "written": written.act})  # it belongs to the writing
    kept = {} if keep is None else {"keep": [one.removeprefix("act:") for one in keep]}
    begun = desk.act("begin_scene", {"scene": scene, **kept}, command_id=id_for(desk, once, intent=once))
    return doer.done(begun, warnings=warnings, handle=f"scene:{scene}")


def _check_form(parts: tuple[str, str, str], options: Sequence[Way]) -> None:
    missing = [name for name, part in zip(("hook", "action", "consequence"), parts, strict=True) if not part.strip()]
    if missing:
        raise Refusal(f"The scene has no {' and no '.join(missing)}. {HOW}", code="form")
    if len(options) == 1 or len(options) > 4:
        raise Refusal(f"The scene has {len(options)} options. {HOW}", code="form")
    if options and all(option.way == "hidden" for option in options):
        raise Refusal(f"Players see none of these options. {HOW}", code="form")


def _warnings(length: int, options: int, perils: int) -> Iterator[str]:
    if not FEWEST_WORDS <= length <= MOST_WORDS:
        yield f"It has {length} words; {FEWEST_WORDS} to {MOST_WORDS} in hook, action and consequence read best."
    if options and not perils:
        yield "None of its options is risky or hidden; one should be."
