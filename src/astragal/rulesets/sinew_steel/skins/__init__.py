"""Skins: a setting over the rules, as data. A file is loaded whole, or refused with every fault and its place."""

from astragal.rulesets.sinew_steel.skin_files import skin_template

from .definition import Armour, Attribute, Crisis, Gear, Plugin, Pressure, SampleHero, Skin, Weapon
from .faults import Fault, FaultySkin, Place
from .loading import LARGEST, faults, load_skin
from .manifests import import_manifest
from .schema import skin_schema, written_schema
from .shelf import DEFAULT, builtin_skins, default_skin

__all__ = [
    "DEFAULT",
    "LARGEST",
    "Armour",
    "Attribute",
    "Crisis",
    "Fault",
    "FaultySkin",
    "Gear",
    "Place",
    "Plugin",
    "Pressure",
    "SampleHero",
    "Skin",
    "Weapon",
    "builtin_skins",
    "default_skin",
    "faults",
    "import_manifest",
    "load_skin",
    "skin_schema",
    "skin_template",
    "written_schema",
]
