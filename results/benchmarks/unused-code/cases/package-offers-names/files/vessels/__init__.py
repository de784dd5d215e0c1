"""Volumes of vessels."""

from .boxes import lid, volume
