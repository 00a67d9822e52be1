"""Programs built on the toolkit."""
