"""The pages of the documentation."""
