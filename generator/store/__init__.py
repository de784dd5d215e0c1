"""The only code that reads and writes the repository, and that asks git."""
