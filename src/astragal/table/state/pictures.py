"""Pictures: the shipped ones, defaults where nobody has chosen one, and limits for those that people add.

A picture is named by a *reference*: `plates/bell` or `portraits/diver` for a shipped one, the SHA-256 of its bytes for
one that somebody added. Shipped drawings are SVG files of the web table, under the same names (`static/plates`,
`static/portraits`).
"""

import re
from collections.abc import Collection, Iterable, Mapping
from hashlib import sha256
from typing import Any

from msgspec import Struct

from astragal.table.state.setting import Setting
from astragal.table.state.table import CastMember
from astragal.table.state.things import Scene

DIGEST = re.compile(r"[0-9a-f]{64}")
MOST_PICTURES = 200
MOST_BYTES = 40 * 1024 * 1024
"""Limits of one table."""
MOST_OF_A_PLAYER = 20
MOST_BYTES_OF_A_PLAYER = 8 * 1024 * 1024
LARGEST_PICTURE = 1024 * 1024
"""Bytes of one picture as it is stored."""


def named_in(value: Any) -> Iterable[str]:
    """Yield the references to pictures in a plain value, including those in nested mappings."""
    if isinstance(value, Mapping):
        for name, part in value.items():
            if name in ("picture", "portrait", "digest") and isinstance(part, str):
                yield part
            else:
                yield from named_in(part)


def is_webp(data: bytes) -> bool:
    """Return whether bytes begin like a WebP file, the format in which pictures are stored."""
    return data[:4] == b"RIFF" and data[8:12] == b"WEBP"


# ---------------------------------------------------------------- shipped


class Shipped(Struct, frozen=True):
    """A shipped picture: its alt text, and words of titles and names that it fits."""

    alt: str
    words: frozenset[str]
    foe: bool = False
    """True for the face of a foe."""


def _plate(alt: str, words: str) -> Shipped:
    return Shipped(alt, frozenset(words.split()))


def _foe(alt: str, words: str) -> Shipped:
    return Shipped(alt, frozenset(words.split()), foe=True)


PLATES: Mapping[str, Shipped] = {
    "bell": _plate(
        "A great bell hangs over glowing green water; a diver clings to the chain.",
        "bell bells stroke peal ringer drowned tower chapel church",
    ),
    "boats": _plate(
        "Boats lie aground on the floor of a lake that has gone.",
        "boat boats lake mud pier landing ferry ford river",
    ),
    "boots": _plate("A pair of new boots stands on a road to the hills.", "shoes boots start first hills walk journey"),
    "bridge": _plate(
        "A rope bridge at dusk, planks missing; somebody raises a lantern.",
        "bridge gorge rope ropes planks lantern chasm",
    ),
    "crate": _plate(
        "A tall crate stands open in a pool of lamplight.",
        "crate cargo loading warehouse cellar bay box goods market",
    ),
    "die": _plate("A twenty-sided die in rays.", "die dice chance luck gamble"),
    "door": _plate(
        "A door stands ajar in the dark, and light falls out of it.",
        "door doors chalk threshold room house key knock locked",
    ),
    "forest": _plate("A path goes in among tall trees.", "forest wood woods tree trees thicket hunt wolves wild"),
    "gallery": _plate(
        "A long gallery at night, pillars and armour in moonlight.",
        "gallery museum hall palace court throne armour castle",
    ),
    "gate": _plate(
        "A portcullis is up, a brazier burns, and nobody goes through.",
        "gate gates wall sill toll guard portcullis city fort",
    ),
    "hatch": _plate(
        "A round hatch, welded shut, with roots through the seam.",
        "hatch sealed bulkhead vault engine machine lock iron",
    ),
    "hearth": _plate(
        "A fire, two chairs, a kettle; one chair is empty.",
        "hearth fire inn tavern kitchen home widow cottage evening rest",
    ),
    "hours": _plate("A small tug before a sun that is a clock.", "hours clock time debt owed star stars drive orbit"),
    "ice": _plate(
        "A ship fast in the ice; two figures haul a sledge.",
        "ice snow cold pole winter frozen sledge glacier",
    ),
    "kites": _plate(
        "Kites stand in the wind over a village that hangs on chains.",
        "kite kites wind sky air pass weather flags",
    ),
    "lamps": _plate("Six lamps in the dark.", "lamp lamps lit light lights candle candles dark"),
    "ledger": _plate(
        "A great book lies open under a lamp; a page has been cut out.",
        "book ledger page pages contract print library archive roll register names",
    ),
    "letter": _plate(
        "A sealed letter, and a hand that hesitates.",
        "letter seal messenger message note news envoy secret",
    ),
    "lighthouse": _plate("A lighthouse throws its beam.", "lighthouse beacon coast rock keeper island signal shore"),
    "mirror": _plate(
        "A mirror in a plain frame shows a field that is not in the room.",
        "mirror glass reflection dream portrait happiest",
    ),
    "morning": _plate(
        "The sun comes up over roofs, and a shutter stands open.",
        "morning dawn sunrise seven after end home ending",
    ),
    "orchard": _plate(
        "An apple tree stands where no tree can stand, and bears fruit.",
        "orchard apple fruit garden roots bark leaves count",
    ),
    "quay": _plate(
        "Ships lie at a quay with all sails set, in no wind.",
        "quay harbour port ship ships sail sails dock fleet captain",
    ),
    "road": _plate(
        "A swept road runs to the edge of the sky between open houses.",
        "road street highway miles march travel caravan swept",
    ),
    "stair": _plate(
        "A stair goes down into the stone, and something glows below.",
        "stair stairs down below deep tomb crypt cave dungeon arch under inside",
    ),
    "station": _plate("A ring of lit windows turns in the black.", "station ring hull space ship deck shift alongside"),
    "storm": _plate("Lightning over a steep sea.", "storm thunder lightning rain gale wreck flood rage"),
    "street": _plate(
        "A row of narrow houses at night under one lamp.",
        "row houses town lane alley quarter village square corner",
    ),
    "table": _plate(
        "A table is laid for four, and steam still rises.",
        "table dining mess supper feast car dinner four meal",
    ),
    "tent": _plate("A tent in the drift, lit from within.", "tent camp bivouac night desert"),
    "tower": _plate(
        "A brass tower stands in a mountain pass and hums.",
        "tower brass valve mountain wizard height citadel",
    ),
    "train": _plate(
        "A night train crosses a viaduct under a full moon.",
        "train wagon carriage compartment rail rails engine express",
    ),
    "wave": _plate(
        "A lake stands up behind the hill, with its fish in it, and the moon.",
        "wave sea tide turns waters sings song monster",
    ),
    "well": _plate("A stone well in a field; a rope goes down.", "well rope field stones fishing spring"),
}
"""Pictures for scenes."""

PORTRAITS: Mapping[str, Shipped] = {
    "archer": _plate("A young woman with a braid and a keen look.", "hunter archer scout ranger swift"),
    "bearded": _plate("A broad man with a full beard.", "smith stoker chief cook carter bo"),
    "captain": _plate("An officer in a peaked cap.", "captain inspector guard officer lieutenant constable conductor"),
    "child": _plate("A freckled child with a gap between the teeth.", "child boy girl kid apprentice"),
    "count": _plate("A pale man with a pointed beard and a high collar.", "count baron lord sir duke director factor"),
    "curly": _plate("A woman with a cloud of curls.", "singer dancer bard"),
    "diver": _plate("A diver with short dark hair and a brass collar.", "diver sailor salvage kira"),
    "doctor": _plate("A doctor with round spectacles.", "doctor dr professor surgeon reeve scholar"),
    "elder": _plate("An old woman with white hair and a shawl.", "mother old widow grandmother elder"),
    "engineer": _plate("Somebody with goggles pushed up and soot on one cheek.", "engineer mechanic pilot fixer"),
    "fair": _plate("A red-haired woman in green.", "oda thief kestrel"),
    "friar": _plate("A tonsured man with a patient face.", "brother friar father monk priest"),
    "grey": _plate("A lean old man with a grey moustache.", "mr old uncle sallow veteran"),
    "hood": _plate("A face in a hood, half in shadow.", "spy assassin cutpurse burglar runner"),
    "lady": _plate("A lady with pearls and a tall collar.", "madame lady countess marigold"),
    "nun": _plate("A nun with a crooked smile.", "sister nun abbess"),
    "scarf": _plate("Somebody wrapped in a striped scarf, eyes bright.", "traveller courier wren"),
    "scholar": _plate("A dark-skinned man with locks and a plum coat.", "pell mage scribe quill"),
    "turban": _plate("A traveller in a pale turban.", "merchant ailo trader guide"),
    "veteran": _plate("A woman with a scar and cropped hair.", "soldier veteran marshal champion hanged"),
    "beast": _foe("Eyes, teeth, and fur with snow in it.", "dog hound wolf rat beast eagle leopard bird birds bear"),
    "drowned": _foe(
        "A drowned face with pale eyes and long wet hair.",
        "drowned ghost wight bellringer undertow thing shadow",
    ),
    "mask": _foe("A smooth white mask, politely inclined.", "mask understudy caller stranger passenger polite"),
    "machine": _foe("A lamp for an eye in a riveted head.", "drone machine crawler steward golem armour engine"),
    "nemesis": _foe(
        "A crowned shadow with two coals for eyes.",
        "nemesis demon king undertow creditor keystone champion",
    ),
    "warden": _foe("A closed helm with a red crest.", "warden guard knight bailiff toll thug bandit"),
}
"""Pictures for people and creatures."""


# ---------------------------------------------------------------- where nobody has chosen: always the same defaults

_WORD = re.compile(r"[^\W\d_]+")
_NUMBER = re.compile(r" \d+$")


def plate_for(scene: Scene, cover: str) -> str:
    """Return the picture of a scene: the chosen one, or the plate whose words fit its title and hook best.

    If none fits it is the setting's cover or, without a cover, a plate picked by the title.
    """
    if scene.picture:
        return scene.picture
    title = _words(scene.title)
    hook = _words(scene.hook)
    matches = {name: 2 * len(plate.words & title) + len(plate.words & hook) for name, plate in PLATES.items()}
    best = max(matches, key=lambda name: matches[name])
    if matches[best]:
        return f"plates/{best}"
    if cover in PLATES:
        return f"plates/{cover}"
    return _picked(PLATES, "plates", scene.title)


def portraits_of(cast: Collection[CastMember]) -> Mapping[str, str]:
    """Return everyone's portrait: the chosen one, or a default by name, without repeats while there are others."""
    portraits = {member.id: member.portrait for member in cast if member.portrait}
    free = [name for name in PORTRAITS if f"portraits/{name}" not in portraits.values()]
    for member in cast:
        if member.id not in portraits:
            portrait = _picked(_fitting_portraits(member, free), "portraits", member.name)
            portraits[member.id] = portrait
            free = [name for name in free if f"portraits/{name}" != portrait]
    return {member.id: portraits[member.id] for member in cast}


def _fitting_portraits(member: CastMember, free: list[str]) -> list[str]:
    """Return the portraits whose words fit a name; else those for heroes, or for the game master's any; else all."""
    name_words = _words(member.name)
    fitting = [name for name in free if PORTRAITS[name].words & name_words]
    if not fitting:
        fitting = [name for name in free if member.seat is None or not PORTRAITS[name].foe]
    return fitting or list(PORTRAITS)


def plate_in(setting: Setting, scene: str) -> str:
    """Return the plate that a setting's adventure has for a scene, by the scene's id; empty if it has none."""
    for adventure_scene in setting.adventure.scenes if setting.adventure else ():
        if adventure_scene.id == scene:
            return adventure_scene.picture
    return ""


def portrait_in(setting: Mapping[str, str], name: str) -> str:
    """Return the portrait that a setting has for a name, also with a number behind it; empty if it has none."""
    portrait = setting.get(name) or setting.get(_NUMBER.sub("", name))
    return f"portraits/{portrait}" if portrait else ""


def alt_of(reference: str, alt: str = "") -> str:
    """Return the alt text of a picture: the given one, or else that of a shipped picture."""
    folder, _, name = reference.partition("/")
    shipped = {"plates": PLATES, "portraits": PORTRAITS}.get(folder, {}).get(name)
    return alt or (shipped.alt if shipped else "")


def _words(text: str) -> frozenset[str]:
    return frozenset(word.casefold() for word in _WORD.findall(text))


def _picked(names: Iterable[str], folder: str, text: str) -> str:
    """Pick one of the names by a text: always the same for the same text."""
    choices = list(names)
    number = int.from_bytes(sha256(text.casefold().encode()).digest()[:4], "big")
    return f"{folder}/{choices[number % len(choices)]}"
