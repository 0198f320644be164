"""QR codes lead to an address in three forms, none of which tells it in letters."""

from elenchus.service.qr_codes import as_characters, as_svg_element, as_svg_file

ADDRESS = "http://192.0.2.1:8321/join/abcd-efgh"


def test_a_code_is_a_picture_without_a_word_of_its_address() -> None:
    drawn = as_svg_file(ADDRESS)
    assert drawn.startswith("<svg xmlns=")
    assert "abcd" not in drawn


def test_a_file_an_element_and_a_terminal_show_the_same_code() -> None:
    size = as_svg_file(ADDRESS).partition('viewBox="')[2].partition('"')[0]
    assert size in as_svg_element(ADDRESS)
    rows = as_characters(ADDRESS).splitlines()
    assert len(rows[1]) == int(size.split()[2])
