"""What reads and writes are made of: requests, actions, pauses, retries, and what a session lends them.

Imports `declaring` and what is below it; no expressions, no client.
"""
