"""Access patterns, declared first and proved to be one request."""
