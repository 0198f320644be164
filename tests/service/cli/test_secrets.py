"""Passwords and keys in addresses: told by no command, in no log and no file."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.service.cli.program import Program
from tests.service.cli.test_debate import MOTION

SECRETS = ("s3cret-word", "qu3ry-key")
VENDORS = ("openai", "anthropic", "gemini")
ADDRESSES = {
    **{f"{v.upper()}_BASE_URL": "http://ada:s3cret-word@127.0.0.1:9/v1?api_key=qu3ry-key" for v in VENDORS},
    **{f"ELENCHUS_{v.upper()}_RETRIES": "0" for v in VENDORS},
    "ELENCHUS_LIBRARY_SERVER": "http://ada:s3cret-word@127.0.0.1:9",
    "HTTP_PROXY": "http://ada:s3cret-word@127.0.0.1:9/?key=qu3ry-key",
}


@pytest.mark.parametrize("debug", [[], ["--debug"]])
@pytest.mark.parametrize(
    "arguments",
    [
        ["doctor"], ["doctor", "--json"], ["models", "list"], ["models", "list", "--json"],
        ["detect", "text.txt", "--model", "scripted:demo"],
        *(["crit", "text.txt", "--model", f"{vendor}:some-model", "--export", "out"] for vendor in VENDORS),
    ],
    ids=" ".join,
)  # fmt: skip
def test_no_command_tells_a_password_or_key_of_an_address(
    elenchus: Program, arguments: list[str], debug: list[str]
) -> None:
    (elenchus.folder / "text.txt").write_text("Everybody does it, so it must be right.")
    result = elenchus(*debug, *arguments, env=ADDRESSES)
    told = result.out + result.err
    assert told
    assert not [secret for secret in SECRETS if secret in told], told
    if arguments[0] == "doctor":
        assert result.code == 0
        assert "***@127.0.0.1:9" in told
    for path in Path(elenchus.folder, "out").glob("*"):
        assert not [secret for secret in SECRETS if secret.encode() in path.read_bytes()], path.name
    rows = elenchus("sessions", "list", "--json").json
    for row in rows:
        shown = elenchus("sessions", "show", row["id"]).out + elenchus("sessions", "show", row["id"], "--json").out
        assert not [secret for secret in SECRETS if secret in shown]


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("OPENAI_BASE_URL", "ftp://ada:s3cret-word@lab/"),
        ("ELENCHUS_LIBRARY_SERVER", "http://ada:s3cret-word@lab/x?k=qu3ry-key"),
    ],
)
def test_a_wrong_address_is_refused_without_being_told(elenchus: Program, variable: str, value: str) -> None:
    result = elenchus("debate", MOTION, "--dry-run", env={variable: value})
    assert result.code == 2
    assert not [secret for secret in SECRETS if secret in result.out + result.err]
