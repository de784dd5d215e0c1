"""What can be done in the workshop, one module a domain."""
