"""The access keys that the server knows, from a file in the form of ~/.aws/credentials."""

from __future__ import annotations

import configparser
from pathlib import Path
from typing import NamedTuple


class CredentialsUnusable(Exception):
    """The file cannot be read; one line says why."""


class Credential(NamedTuple):
    """What a client signs with."""

    secret_key: str
    token: str
    """Session token that must come with the key; empty: none."""


def read(path: str) -> dict[str, Credential]:
    """The credentials by access key. Raises CredentialsUnusable."""
    parser = configparser.RawConfigParser(default_section="", strict=False)
    try:
        parser.read_string(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise CredentialsUnusable(f"--credentials {path}: {error.strerror}") from None
    except (configparser.Error, UnicodeDecodeError):
        raise CredentialsUnusable(f"--credentials {path}: not in the form of ~/.aws/credentials") from None
    credentials: dict[str, Credential] = {}
    for name in parser.sections():
        section = parser[name]
        access_key, secret_key = section.get("aws_access_key_id"), section.get("aws_secret_access_key")
        if access_key and secret_key:
            credentials[access_key] = Credential(secret_key, section.get("aws_session_token", ""))
        elif access_key or secret_key:
            raise CredentialsUnusable(
                f"--credentials {path}: [{name}] needs aws_access_key_id and aws_secret_access_key"
            )
    if not credentials:
        raise CredentialsUnusable(f"--credentials {path}: no aws_access_key_id in it")
    return credentials
