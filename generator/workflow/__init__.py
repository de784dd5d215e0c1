"""What the commands do: each module is one verb, from a project to an outcome."""
