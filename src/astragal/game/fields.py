"""Types and marks for the fields of commands, events and sheets, and what a field can name."""

from msgspec import field as field

from astragal.table.fields.definitions import *
from astragal.table.fields.lookup import *
