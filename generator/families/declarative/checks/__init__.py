"""The assertions of a case: `check` (what one is), `catalog` (all types), one module a kind."""
