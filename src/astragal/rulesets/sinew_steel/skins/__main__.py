"""`python -m astragal.rulesets.sinew_steel.skins` writes the schema: its place is skin.schema.json beside this file."""

import sys

from .loading import written_schema

sys.stdout.write(written_schema())
