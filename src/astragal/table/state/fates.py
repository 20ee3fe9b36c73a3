"""Fates: what became of somebody in the story."""

from __future__ import annotations

from enum import Enum


class Fate(Enum):
    """What became of somebody, where the table says so."""

    DEAD = "dead"
    RESCUED = "rescued"
    CAPTURED = "captured"
