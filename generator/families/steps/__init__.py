"""The family of tool use on a real server: did a system do the right things, in order."""
