"""Keys and addresses that cannot be sent: a sentence before anything is spent, and never the secret itself."""

from __future__ import annotations

from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import ClassVar

import pytest

from tests.service.cli.program import Program

pytestmark = pytest.mark.parametrize("vendor", ["openai", "anthropic", "gemini"])


def debate(elenchus: Program, vendor: str, **env: str) -> tuple[int, str]:
    spec = f"{vendor}:a-model"
    ended = elenchus("debate", "Trams", "--pro", spec, "--con", spec, "--judge", spec, "--crit", spec, env=env)
    assert "Traceback" not in ended.err
    return ended.code, " ".join(ended.err.split())


@pytest.mark.parametrize("key", ["sk-sécrét-1", "sk-secret 1", "sk-secret\n1", "“sk-secret”"])
def test_a_key_that_no_header_can_carry_is_a_sentence(elenchus: Program, vendor: str, key: str) -> None:
    variable = f"{vendor.upper()}_API_KEY"
    code, said = debate(elenchus, vendor, **{variable: key})
    assert code == 2
    assert f"The key in {variable} has a blank or a character that no key has" in said
    assert key not in said
    assert "cr" not in said.partition(variable)[2].replace("character", ""), "nothing of the key is told"


def test_a_name_and_password_in_an_address_are_a_sentence(elenchus: Program, vendor: str) -> None:
    variable = f"{vendor.upper()}_BASE_URL"
    code, said = debate(elenchus, vendor, **{variable: "http://ann:pa55word@127.0.0.1:9/v1"})
    assert code == 2
    assert f"{variable} has a user name or a password before the host" in said
    assert "pa55word" not in said


@pytest.mark.slow
@pytest.mark.parametrize(
    ("key", "login", "says"),
    [
        ("sk-sécrét-1", "", "has a blank or a character that no key has"),
        ("sk-secret\n1", "", "has a blank or a character that no key has"),
        ("sk-secret-1", "ann:pa55word@", "has a user name or a password before the host"),
    ],
)
def test_the_doctor_says_of_them_what_a_session_would_and_asks_nobody(
    elenchus: Program, vendor: str, key: str, login: str, says: str
) -> None:
    Redirecting.reached.clear()
    with ThreadingHTTPServer(("127.0.0.1", 0), Redirecting) as server:
        Thread(target=server.serve_forever).start()
        url = f"http://{login}127.0.0.1:{server.server_address[1]}"
        env = {f"{vendor.upper()}_API_KEY": key, f"{vendor.upper()}_BASE_URL": url}
        told = elenchus("doctor", "--json", env=env)
        listed = elenchus("models", "list", env=env)
        server.shutdown()
    assert Redirecting.reached == []
    assert (told.code, listed.code) == (0, 0)
    (found,) = [one for one in told.json["vendors"] if one["provider"] == vendor]
    assert found["answers"] is None
    assert says in found["said"]
    assert says in " ".join((listed.out + listed.err).split())
    assert not [secret for secret in (key, "pa55word") if secret in told.out + told.err + listed.out + listed.err]


class Redirecting(BaseHTTPRequestHandler):
    """Sends whoever asks for anything but /elsewhere… there, under another name of this machine."""

    reached: ClassVar[list[str]] = []

    def do_GET(self) -> None:
        self.reached.append(self.path)
        self.send_response(307)
        port = self.headers["Host"].partition(":")[2]
        self.send_header("Location", f"http://localhost:{port}/elsewhere")
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - its name in the base class
        """Stay silent."""


def test_the_doctor_sends_no_key_along_with_a_redirect(elenchus: Program, vendor: str) -> None:
    Redirecting.reached.clear()
    with ThreadingHTTPServer(("127.0.0.1", 0), Redirecting) as server:
        Thread(target=server.serve_forever).start()
        url = f"http://127.0.0.1:{server.server_address[1]}"
        env = {f"{vendor.upper()}_API_KEY": "sk-test", f"{vendor.upper()}_BASE_URL": url}
        said = elenchus("doctor", "--json", env=env)
        server.shutdown()
    assert len(Redirecting.reached) == 1
    assert "answers with a redirect, which was not followed (HTTP 307)" in said.out
