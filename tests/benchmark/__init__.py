"""The benchmark, and what its page says."""
