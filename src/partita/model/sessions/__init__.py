"""Sessions: the methods that an application calls, and the drivers that carry flows to a client.

The only room that knows clients; imports everything but the recipes.
"""
