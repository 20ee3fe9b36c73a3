"""Settings files: TOML, YAML or JSON held against a definition. Every fault is told at once, with its line and column.

`read_toml(text, "mine.toml").read(Skin)` is a skin, or a refusal. Nothing in a file is ever more than text: no tag is
resolved, no alias followed, and what is large, deep or can't be seen is refused before it is read.
"""

from astragal.table.settings.documents import LARGEST, Document, Fault, FaultyFile, Place, decoded, worded
from astragal.table.settings.toml_files import read_toml, written_toml

__all__ = ["LARGEST", "Document", "Fault", "FaultyFile", "Place", "decoded", "read_toml", "worded", "written_toml"]
