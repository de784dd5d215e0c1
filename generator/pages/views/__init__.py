"""What stands on each page: numbers and links, and messages to be said, but no words."""
