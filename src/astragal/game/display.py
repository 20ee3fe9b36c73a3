"""Display pieces of a sheet, a board and a card. Each surface draws them in its own way."""

from astragal.table.authoring.display import *
