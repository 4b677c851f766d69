"""What answers say to a reader who has no browser."""

from dataclasses import replace

import pytest

from probes.web.documents import document_of
from probes.web.plain import Plain

CONTENT = b"BT /F1 12 Tf 72 720 Td (Harvest of 2019: 18 640 tons) Tj ET"
OBJECTS = (
    b"<< /Type /Catalog /Pages 2 0 R >>",
    b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R"
    b" /Resources << /Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >> >>",
    b"<< /Length %d >>\nstream\n%s\nendstream" % (len(CONTENT), CONTENT),
)


def pdf() -> bytes:
    data, places = b"%PDF-1.4\n", []
    for number, item in enumerate(OBJECTS, start=1):
        places.append(len(data))
        data += b"%d 0 obj\n%s\nendobj\n" % (number, item)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    trailer = b"trailer\n<< /Size 5 /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % len(data)
    return b"".join((data, b"xref\n0 5\n0000000000 65535 f \n", table, trailer))


def answer(body: str = "", kind: str = "text/html", data: bytes = b"", status: int = 200) -> Plain:
    return Plain("http://a.test/", status=status, headers={"content-type": kind}, body=body, data=data)


async def test_a_pdf_file_is_read() -> None:
    assert "18 640 tons" in (await document_of(answer(kind="application/pdf", data=pdf()))).text


@pytest.mark.parametrize("data", [b"%PDF-1.4\nno more", b"%PDF-" + b"\x00" * 5000])
async def test_a_damaged_one_says_nothing(data: bytes) -> None:
    assert (await document_of(answer(kind="application/pdf", data=data))).whole is False


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (answer("<td>12</td><td>34</td>"), "12 | 34"),
        (answer('{"a": 5}', "application/json; charset=utf-8"), '{"a": 5}'),
        (answer("a,b", "text/csv"), "a,b"),
        (answer("PK..", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"), ""),
        (answer("gone", status=404), ""),
    ],
)
async def test_text_is_read_as_what_it_is(given: Plain, said: str) -> None:
    found = await document_of(given)
    assert said in found.text
    assert bool(said) is bool(found.text) is found.whole


async def test_what_was_cut_off_is_not_whole() -> None:
    assert not (await document_of(replace(answer("<p>One</p>"), cut=True))).whole
