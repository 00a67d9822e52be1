"""`python -m partita` is `partita`."""

from partita.cli import main

main()
