"""The database in your own process: `Database`, boto3 without sockets, and patches for code under test."""
