"""The shapes that lie on disk: strict, frozen, unknown keys refused."""
