"""Ctrl-C ends a command with one line and the exit code that shells give it, whenever it comes.

It ends the process from the handler itself. A KeyboardInterrupt can be lost, where it comes in a destructor
or a callback of an import, and it can crash the process, where it comes in the making of an extension module.
What a command has on disk is whole after a kill at any moment, so there is nothing to tidy up.
"""

from __future__ import annotations

import os
import signal

EXIT_CODE = 130
"""Not 1, which says that something was found wrong."""
LINE = "partita: interrupted"


def end_at_once() -> None:
    """From now on, unless the process was started with Ctrl-C ignored, or somebody else handles it."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _end)


def _end(_number: int, _frame: object) -> None:
    try:
        # In a terminal, progress may stand on the line.
        start = "\n" if os.isatty(2) else ""
        os.write(2, f"{start}{LINE}\n".encode())
    finally:
        # Nobody may be there to read the line.
        os._exit(EXIT_CODE)
