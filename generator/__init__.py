"""Assay: a press for published evaluation results, with a gate in front of it."""

__version__ = "0.1.0"
