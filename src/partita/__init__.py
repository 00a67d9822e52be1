"""Partita: a DynamoDB-compatible database in Python."""

__version__ = "0.1.0"
