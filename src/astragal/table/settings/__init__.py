"""Settings files: validation of TOML, YAML or JSON. All faults are reported at once, with their lines and columns.

`read_toml(text, "mine.toml").read(Skin)` returns a skin or raises a refusal. Nothing in a file can be executed: no tag
is resolved and no alias followed. Files that are too large, nested too deep or have invisible characters are refused.
"""

from astragal.table.settings.documents import LARGEST, Document, Fault, FaultyFile, Place, decoded, worded
from astragal.table.settings.toml_files import read_toml, written_toml

__all__ = ["LARGEST", "Document", "Fault", "FaultyFile", "Place", "decoded", "read_toml", "worded", "written_toml"]
