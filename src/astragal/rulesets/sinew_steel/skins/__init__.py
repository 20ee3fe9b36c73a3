"""Skins: a setting over the rules, as data. A file is loaded whole, or refused with every fault and its place."""

from .definition import Skin
from .loading import DEFAULT, default_skin
from .manifests import import_manifest, skin_files_of

__all__ = ["DEFAULT", "Skin", "default_skin", "import_manifest", "skin_files_of"]
