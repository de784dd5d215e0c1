"""Checks on what a system said: `checks` (the assertions), `corpus` (the cases), `scorer`."""
