"""What puts a benchmark to systems: `system` (the contract), one module a kind, `sweep`."""
