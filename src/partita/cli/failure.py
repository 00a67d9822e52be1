"""How a command says that it cannot do what it was asked to: one line and exit code 2."""

from __future__ import annotations

import os
import sys
from typing import NoReturn


def fail(reason: str) -> NoReturn:
    """Ends the process. `reason` is one line that says what is wrong and what to do."""
    line = " ".join(reason.split())
    print(f"partita: {line}", file=sys.stderr)
    sys.exit(2)


def fail_if_unwritable(error: OSError) -> None:
    """Ends the process if `error` came of the standard output, which then takes no further line either."""
    try:
        print(flush=True)
    except OSError:
        # The interpreter flushes it once more at the end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        fail(f"cannot write the standard output: {error.strerror}")
