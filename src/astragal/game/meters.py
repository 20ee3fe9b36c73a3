"""Meters: numbers of a sheet that are lost and gained. Declared once, with their chapter of events and commands."""

from astragal.table.authoring.meters import *
