"""Flows out of files, folders and addresses; what cannot be read is refused in one sentence."""

from __future__ import annotations

import asyncio
import io
import json
import os
import random
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import psutil  # type: ignore[import-untyped]
import pytest
from aiohttp import web
from hypothesis import given, settings, strategies as st
from pypdf import PdfWriter

from elenchus.debate_engine.errors import UsageError
from elenchus.detectors.evaluation.cogbench.flows.extraction import AT_ONCE, MOST_PAGES, extracted
from elenchus.detectors.evaluation.cogbench.flows.reading import (
    LARGEST,
    flow_at,
    flow_in,
    flow_of,
    flows_in_folder,
)
from tests.detectors.evaluation.cogbench.flows.site import page, site

ARTICLE = " ".join(["Trains are late again, and nobody says why."] * 30)
HTML = f"""<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Late trains</title></head>
<body><nav><a href="/">Home</a><a href="/shop">Shop</a></nav>
<article><h1>Late trains</h1><p>{ARTICLE}</p><p>Grüße aus Köln. {ARTICLE}</p></article>
<footer>Subscribe to our newsletter</footer><script>alert(1)</script></body></html>"""


def _readers() -> int:
    """How many processes read for this one."""
    found = 0
    for child in psutil.Process().children():
        with suppress(psutil.NoSuchProcess):
            found += "elenchus.detectors.evaluation.cogbench.flows.extraction" in child.cmdline()
    return found


def pdf(*pages: str, times: int = 1, font: str = "") -> bytes:
    """A PDF file with a line of text a page, so many times over, as its format is written by hand; more of the `font`
    may be said.
    """
    kids = " ".join([f"{4 + 2 * n} 0 R" for n in range(len(pages))] * times)
    objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {len(pages) * times} >>",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding" + f"{font} >>",
    ]
    for n, words in enumerate(pages):
        content = f"BT /F1 12 Tf 72 720 Td ({words}) Tj ET" if words else ""
        resources = "<< /Font << /F1 3 0 R >> >>"
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources {resources} /Contents {5 + 2 * n} 0 R >>"
        )
        objects.append(f"<< /Length {len(content)} >>\nstream\n{content}\nendstream")
    out, places = b"%PDF-1.4\n", []
    for number, body in enumerate(objects, 1):
        places.append(len(out))
        out += f"{number} 0 obj\n{body}\nendobj\n".encode("latin-1")
    table = "".join(f"{place:010} 00000 n \n" for place in places)
    start = len(out)
    out += f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n{table}".encode()
    return out + f"trailer\n<< /Size {len(objects) + 1} /Root 1 0 R >>\nstartxref\n{start}\n%%EOF\n".encode()


async def test_a_text_is_read_as_it_is_in_any_language() -> None:
    flow = await flow_in("Die Bahn kommt.\n\nSpät.  猫も来る。".encode(), "bahn.txt", source="upload")
    assert (flow.texts, flow.title, flow.source) == (("Die Bahn kommt.\n\nSpät.  猫も来る。",), "bahn.txt", "upload")


async def test_of_markdown_the_words_are_read() -> None:
    text = "---\ntags: [a]\n---\n# Late *trains*\n\nA [link](http://x) and ![a map](m.png)\nand `code`.\n\n"
    text += "- one\n- two\n\n<script>alert(1)</script>\n\n```\nas it is\n```\n"
    flow = await flow_in(text.encode(), "a.md")
    assert flow.title == "Late trains"
    assert flow.texts == ("Late trains\n\nA link and  a map \nand code.\n\none\n\ntwo\n\nas it is",)


async def test_of_a_pdf_file_the_text_of_all_pages_is_read_whatever_it_is_called() -> None:
    for name in ("a.pdf", "a.txt"):
        flow = await flow_in(pdf("The first page.", "", "Caf\\351 on the third."), name)
        assert flow.texts == ("The first page.\n\n\n\nCafé on the third.",)


async def test_half_an_emoji_of_a_pdf_file_is_a_sign_that_can_be_written_down() -> None:
    """A character map may name one half of a pair alone, and what comes of it is no UTF-8."""
    cmap = "1 begincodespacerange <00> <FF> endcodespacerange 1 beginbfchar <41> <D83D> endbfchar"
    stream = f"<< /Length {len(cmap)} >>\nstream\n{cmap}\nendstream"
    made = pdf("A cat").replace(b"xref\n", f"9 0 obj\n{stream}\nendobj\nxref\n".encode(), 1)
    flow = await flow_in(made.replace(b"/WinAnsiEncoding", b"/WinAnsiEncoding /ToUnicode 9 0 R"), "a.pdf")
    assert flow.texts == ("\ufffd cat",)


async def test_a_name_that_is_no_text_is_written_down_with_a_sign_in_its_place(tmp_path: Path) -> None:
    odd = os.fsdecode(b"caf\xe9.txt")
    (tmp_path / odd).write_text("Words.")
    flow = await flow_of(str(tmp_path / odd))
    assert (flow.title, flow.source) == ("caf\ufffd.txt", "caf\ufffd.txt")


@pytest.mark.slow
async def test_a_long_markdown_text_is_parsed_beside_the_event_loop_and_for_a_time_alone() -> None:
    last, gaps = time.monotonic(), list[float]()

    async def beating() -> None:
        nonlocal last
        while True:
            await asyncio.sleep(0.05)
            gaps.append(time.monotonic() - last)
            last = time.monotonic()

    beat = asyncio.create_task(beating())
    with pytest.raises(UsageError, match="holds 200,001 characters"):
        await flow_in(b"[" * 200_001, "a.md")
    beat.cancel()
    assert max(gaps) < 2.0, "the whole takes three seconds and a half"
    with pytest.raises(UsageError, match="takes longer than 1 seconds"):
        await extracted("markdown", b"[" * LARGEST, "The file a.md", seconds=1.0)


async def test_of_a_page_the_article_is_read() -> None:
    flow = await flow_in(HTML.encode(), "a.html")
    assert flow.title == "Late trains"
    assert "Grüße aus Köln" in flow.texts[0]
    assert not {"Subscribe", "Shop", "alert"} & set(flow.texts[0].replace("(", " ").split())


async def test_short_videos_are_texts_one_a_video() -> None:
    videos: list[Any] = [{"description": "A cat.", "frame_text": "MIAOW", "transcript": None}, "A dog."]
    flow = await flow_in(json.dumps(videos).encode(), "videos.json")
    assert (flow.texts, flow.title) == (("A cat.\nMIAOW", "A dog."), "videos")
    assert (await flow_in(b'{"transcript": "Hello."}', "one.json")).texts == ("Hello.",)


@pytest.mark.parametrize(
    ("data", "name", "said"),
    [
        (b"", "a.txt", "holds nothing to read"),
        (b" \n\t ", "a.md", "holds nothing to read"),
        (b"x" * (LARGEST + 1), "a.txt", "larger than 5,000,000 bytes"),
        (b"x" * 200_001, "a.txt", "holds 200,001 characters"),
        (b"\x00\x01\x02", "a.txt", "it is no text"),
        (b"\xff\xfe\x41\x00", "a.txt", "UTF-16"),
        (b"\xe9t\xe9", "a.txt", "it is not UTF-8"),
        (b"PK\x03\x04", "a.docx", "personas read .txt, .md"),
        (b"%PDF-1.4 and nothing more", "a.pdf", "it is damaged"),
        (pdf(""), "a.pdf", "holds no text, as a scanned page"),
        (b"<html><body></body></html>", "a.html", "there is no article in it"),
        (b"\x00\xff" * 500, "a.html", "cannot be read"),
        (b"[]", "a.json", "holds 0 videos"),
        (b'["x", 3]', "a.json", "video 2 is neither"),
        (b'[{"frames": ["x"]}]', "a.json", "video 1 is neither"),
        (b'{"description": ""}', "a.json", "holds nothing to read"),
        (b"{", "a.json", "not valid JSON"),
    ],
)
async def test_what_cannot_be_read_is_refused_in_one_sentence(data: bytes, name: str, said: str) -> None:
    with pytest.raises(UsageError, match=said) as refused:
        await flow_in(data, name)
    assert len(str(refused.value).splitlines()) == 1
    assert len(str(refused.value)) < 300


async def test_a_pdf_file_whose_pages_repeat_a_text_without_end_is_read_no_further_than_its_bound() -> None:
    small = pdf("A line of words that comes again. " * 1_000, times=MOST_PAGES)
    assert len(small) < 60_000
    with pytest.raises(UsageError, match="more than 400,000 characters: give a part of it"):
        await extracted("pdf", small, "The file a.pdf", seconds=30.0)


async def test_a_locked_pdf_file_is_refused() -> None:
    writer = PdfWriter(clone_from=io.BytesIO(pdf("A secret.")))
    writer.encrypt("password", algorithm="RC4-128")
    writer.write(out := io.BytesIO())
    with pytest.raises(UsageError, match="it is locked by a password"):
        await flow_in(out.getvalue(), "a.pdf")


async def test_a_reader_that_takes_too_long_is_ended() -> None:
    with pytest.raises(UsageError, match="takes longer than"):
        await extracted("pdf", pdf("Words."), "The file a.pdf", seconds=0.01)


@pytest.mark.slow
async def test_of_files_that_are_made_to_hang_two_are_read_at_once_and_the_next_one_is_told_to_come_again() -> None:
    hanging = [
        asyncio.create_task(extracted("markdown", b"[" * LARGEST, f"The file {n}", seconds=3.0)) for n in range(4)
    ]
    most = 0
    while not all(task.done() for task in hanging):
        most = max(most, _readers())
        await asyncio.sleep(0.05)
    assert most == AT_ONCE
    said = [str(task.exception()) for task in hanging]
    assert sum("takes longer than 3 seconds" in one for one in said) >= AT_ONCE
    assert all("takes longer" in one or "try again" in one for one in said)
    assert (await flow_in(pdf("Words."), "a.pdf")).texts == ("Words.",), "the places are free again"


async def test_a_file_and_an_address_are_told_apart(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("Words.")
    assert (await flow_of(str(tmp_path / "a.txt"))).source == "a.txt"
    pages = {"/t": page("Words."), "/h": page(HTML, "text/html")}
    async with site(pages) as there:
        plain, html = [await flow_of(there.at(path), there.policy()) for path in ("/t", "/h")]
    assert (plain.texts, plain.source) == (("Words.",), there.at("/t"))
    assert (html.title, html.source) == ("Late trains", there.at("/h"))


async def test_a_page_is_read_in_its_encoding_and_refused_where_it_is_in_another() -> None:
    def told(body: bytes, charset: str) -> web.Response:
        return web.Response(body=body, headers={"Content-Type": f"text/plain; charset={charset}"})

    pages = {f"/{name}": told("é".encode(name), name) for name in ("latin-1", "windows-1252", "utf-16", "gb18030")}
    unknown = ("klingon", "rot13", "undefined", "idna", "punycode", "unicode_escape")
    wrong = {"/utf-8": told(b"\xe9", "utf-8"), **{f"/{name}": told(b"e", name) for name in unknown}}
    async with site(pages | wrong) as there:
        for path in pages:
            assert (await flow_at(there.at(path), there.policy())).texts == ("é",), path
        for path in wrong:
            with pytest.raises(UsageError, match="no text in the encoding"):
                await flow_at(there.at(path), there.policy())


async def test_files_that_are_not_there_or_are_no_files_are_refused(tmp_path: Path) -> None:
    for path in (tmp_path / "none.txt", tmp_path, Path("/dev/zero")):
        with pytest.raises(UsageError, match="cannot be read"):
            await flow_of(str(path))


async def test_a_folder_is_an_iteration_a_file_in_the_order_of_the_names(tmp_path: Path) -> None:
    for name in ("10.txt", "2.md", "1.txt", ".hidden.txt", "topic.yaml", "Thumbs.db"):
        (tmp_path / name).write_text(f"Words of {name}.")
    assert [flow.texts[0] for flow in await flows_in_folder(tmp_path)] == [
        f"Words of {name}." for name in ("1.txt", "2.md", "10.txt")
    ]


async def test_a_folder_without_anything_to_read_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="holds 0 files to read"):
        await flows_in_folder(tmp_path)
    with pytest.raises(UsageError, match="cannot be read"):
        await flows_in_folder(tmp_path / "none")


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (os.mkfifo, "it is a pipe"),
        (Path.mkdir, "it is a folder"),
        (lambda path: path.symlink_to("/dev/zero"), "it is a device"),
        (lambda path: path.symlink_to("nowhere.txt"), "give a file that exists"),
        (lambda path: path.write_bytes(b"x" * 10_000_000), "larger than 5,000,000 bytes"),
        (lambda path: path.write_bytes(random.Random(1).randbytes(10_000)), "it is not UTF-8"),
    ],
)
async def test_one_odd_file_of_a_folder_is_named_and_waited_for_by_nobody(
    tmp_path: Path, make: Callable[[Path], object], said: str
) -> None:
    """Nothing is passed over in silence: the folder's iterations would be counted otherwise."""
    (tmp_path / "1.txt").write_text("Words.")
    make(tmp_path / "2.txt")
    with pytest.raises(UsageError, match=said) as refused:
        await asyncio.wait_for(flows_in_folder(tmp_path), 20)
    assert "2.txt" in str(refused.value)
    assert len(str(refused.value).splitlines()) == 1
    assert (tmp_path / "1.txt").read_text() == "Words."


@pytest.mark.parametrize("name", ["2.docx", "2", "2.txt.gz", "week 2"])
async def test_what_no_persona_reads_is_named_and_not_passed_over(tmp_path: Path, name: str) -> None:
    """Otherwise the third day's article would be the second day's."""
    (tmp_path / "1.txt").write_text("Words.")
    (tmp_path / "3.txt").write_text("Words.")
    (tmp_path / name).mkdir() if name == "week 2" else (tmp_path / name).write_bytes(b"PK")
    with pytest.raises(
        UsageError, match=r"^The folder .* holds what no persona reads: 2?[^\n]*or take it out\.$"
    ) as told:
        await flows_in_folder(tmp_path)
    assert f": {name}; they read" in str(told.value)


async def test_of_many_such_files_some_are_named(tmp_path: Path) -> None:
    for n in range(5):
        (tmp_path / f"{n}.docx").touch()
    with pytest.raises(UsageError, match=r"0\.docx, 1\.docx, 2\.docx and 2 more"):
        await flows_in_folder(tmp_path)


@settings(max_examples=100, deadline=None)
@given(st.binary(max_size=200), st.sampled_from([".txt", ".md", ".json", "", ".TXT"]))
def test_whatever_a_file_holds_is_a_flow_or_one_sentence(data: bytes, suffix: str) -> None:
    async def read() -> None:
        try:
            flow = await flow_in(data, f"a{suffix}")
        except UsageError as error:
            assert len(str(error).splitlines()) == 1
        else:
            assert all(text.strip() for text in flow.texts)

    if not data.startswith(b"%PDF-"):  # its reader is a process: seen above
        asyncio.run(read())
