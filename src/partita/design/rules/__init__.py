"""The rules of a design: each looks at one read, write, entity or table, and says what is wrong with it."""
