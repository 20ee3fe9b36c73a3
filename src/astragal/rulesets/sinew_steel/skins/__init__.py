"""Skins: a setting over the rules, as data. A file is loaded whole, or refused with every fault and its place."""

from .definition import Skin
from .loading import DEFAULT, builtin_skins, default_skin, load_skin, written_schema
from .manifests import import_manifest, skin_files_of

__all__ = [
    "DEFAULT",
    "Skin",
    "builtin_skins",
    "default_skin",
    "import_manifest",
    "load_skin",
    "skin_files_of",
    "written_schema",
]
