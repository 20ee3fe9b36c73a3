"""Meters: numbers of a sheet that are lost and gained, declared once; the chapter that tells of them, and commands."""

from astragal.table.authoring.meters import *
