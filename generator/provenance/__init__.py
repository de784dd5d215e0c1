"""The gate: the facts that a rule may see, and the rules. Nothing here knows a score."""
