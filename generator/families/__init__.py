"""Ways of scoring, one folder each; `family.py` is the contract, `catalog.py` the list."""
