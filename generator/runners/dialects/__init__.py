"""How providers are spoken to: `dialect` (the contract), one module a dialect, `catalog`."""
