"""Intervals and tests, thin over scipy."""
