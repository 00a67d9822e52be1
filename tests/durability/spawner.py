"""Server processes by fork: a process that has imported the server once makes each start cheap.

What it forks runs `partita serve` as the command line does: a process with sockets and a file of its own.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import traceback
from types import TracebackType
from typing import Any

_MESSAGE_BYTES = 65536


class Spawner:
    """The tests' side."""

    def __init__(self) -> None:
        self._socket, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._process = subprocess.Popen(
            [sys.executable, "-m", __name__, str(theirs.fileno())],
            pass_fds=[theirs.fileno()],
            env={**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)},
        )
        theirs.close()
        self._ask({})

    def start(self, arguments: list[str], stdout: int, stderr: int) -> int:
        """Starts `partita` with arguments and these files as its output; gives its process id."""
        pid: int = self._ask({"arguments": arguments}, [stdout, stderr])
        return pid

    def end(self, pid: int, with_signal: int = signal.SIGKILL) -> int:
        """Sends a signal and waits for the end; gives the exit code, negative if a signal was the end."""
        code: int = self._ask({"pid": pid, "signal": with_signal})
        return code

    def __enter__(self) -> Spawner:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._socket.close()
        self._process.wait()

    def _ask(self, message: dict[str, Any], files: list[int] | None = None) -> Any:
        socket.send_fds(self._socket, [json.dumps(message).encode()], files or [])
        return json.loads(self._socket.recv(_MESSAGE_BYTES))


def _serve(control: socket.socket) -> None:
    """The other side: ends, with all that it started, when the tests are gone."""
    import partita.api
    import partita.cli.announcement
    import partita.cli.serve
    import partita.engine.engine
    import partita.server.run
    import partita.storage.sqlite  # noqa: F401

    running: set[int] = set()
    while True:
        content, files, _, _ = socket.recv_fds(control, _MESSAGE_BYTES, 2)
        if not content:
            break
        message = json.loads(content)
        answer = 0
        if "arguments" in message:
            answer = os.fork()
            if not answer:
                control.close()
                _run(message["arguments"], *files)
            running.add(answer)
        elif "pid" in message:
            os.kill(message["pid"], message["signal"])
            answer = os.waitstatus_to_exitcode(os.waitpid(message["pid"], 0)[1])
            running.discard(message["pid"])
        for file in files:
            os.close(file)
        control.send(json.dumps(answer).encode())
    for pid in running:
        os.kill(pid, signal.SIGKILL)


def _run(arguments: list[str], stdout: int, stderr: int) -> None:
    from partita.cli import main

    code = 1
    try:
        os.dup2(stdout, 1)
        os.dup2(stderr, 2)
        os.close(stdout)
        os.close(stderr)
        main(arguments)
    except SystemExit as ended:
        code = ended.code if isinstance(ended.code, int) else int(bool(ended.code))
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


if __name__ == "__main__":
    _serve(socket.socket(fileno=int(sys.argv[1])))
