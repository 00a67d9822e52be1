"""The AWS CLI: of the environment that the Makefile makes for it, or the machine's."""

from __future__ import annotations

import shutil

from tests.clients.server_process import ROOT

AWS = shutil.which("aws", path=str(ROOT / ".venv-cli/bin")) or shutil.which("aws") or ""
assert AWS, "there is no AWS CLI: see the Makefile"
