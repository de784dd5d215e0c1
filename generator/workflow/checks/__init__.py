"""What `check` looks at, a module a kind of thing; `finding.py` is what they all report."""
