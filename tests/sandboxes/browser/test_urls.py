"""Addresses out of transcripts: one form, or a reason; never a crash."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandboxes.browser.urls import UrlRefusedError, action_like, normalise_url, sibling_of, variants


@pytest.mark.parametrize(
    ("text", "url"),
    [
        ("https://www.Example.com", "https://www.example.com/"),
        ("example.com", "https://example.com/"),
        ("//example.com/a", "https://example.com/a"),
        ("example.com:443/a", "https://example.com/a"),
        ("HTTP://EXAMPLE.com:80/A?b=C#frag", "http://example.com/A?b=C"),
        ("https://user:secret@example.com/", "https://example.com/"),
        ("https://trusted.example@evil.example/", "https://evil.example/"),
        ("view-source:https://example.com/x", "https://example.com/x"),
        ("view-source:view-source:http://example.com", "http://example.com/"),
        ("https://bücher.example/straße?q=größe", "https://xn--bcher-kva.example/stra%C3%9Fe?q=gr%C3%B6%C3%9Fe"),
        ("https://example.com/a b?q=c d", "https://example.com/a%20b?q=c%20d"),
        ("https://example.com/%7Euser/%E2%9C%93", "https://example.com/%7Euser/%E2%9C%93"),
        ("<https://example.com/a>.", "https://example.com/a"),
        ("https://en.wikipedia.org/wiki/A_(b)", "https://en.wikipedia.org/wiki/A_(b)"),
        ("https://example.com/a),", "https://example.com/a"),
        ("https://exa\u200bmple.com/\n", "https://example.com/"),
        ("http://2130706433/", "http://127.0.0.1/"),
        ("http://0x7f.1/x", "http://127.0.0.1/x"),
        ("http://[::1]:8080/", "http://[::1]:8080/"),
        ("https://www.google.com/search?q=who+is+it%3F", "https://www.google.com/search?q=who+is+it%3F"),
        ("https://example.com:8443/", "https://example.com:8443/"),
        ("https://example.com./", "https://example.com/"),
        ("https://example.com/100%/%zz?q=%", "https://example.com/100%/%zz?q=%"),
        ("https://example.com/a%2Fb%3Fc", "https://example.com/a%2Fb%3Fc"),
        ("https://user:se%40cret@example.com:443/a", "https://example.com/a"),
        ("https://duckduckgo.com/?q=who is it&ia=web", "https://duckduckgo.com/?q=who%20is%20it&ia=web"),
        ("VIEW-SOURCE:HTTPS://EXAMPLE.COM/A", "https://example.com/A"),
        ("https://例え.テスト/道", "https://xn--r8jz45g.xn--zckzah/%E9%81%93"),
        ("https://example.com/" + "a" * 8000, "https://example.com/" + "a" * 8000),
    ],
)
def test_one_form_for_every_spelling(text, url):
    assert normalise_url(text) == url


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("file:///etc/passwd", "'file'"),
        ("chrome://settings", "'chrome'"),
        ("javascript:alert(1)", "'javascript'"),
        ("data:text/html,x", "'data'"),
        ("ftp://example.com/", "'ftp'"),
        ("about:blank", "'about'"),
        ("view-source:file:///etc/passwd", "'file'"),
        ("mailto:a@example.com", "'mailto'"),
        ("", "malformed"),
        ("   ", "malformed"),
        ("https://", "malformed"),
        ("https://exa mple.com/", "malformed"),
        ("http://[::1", "malformed"),
        ("https://example.com:99999/", "malformed"),
        ("https://example.com:port/", "malformed"),
        ("https://256.1.1.1/", "malformed"),
        ("https://a..b/", "malformed"),
        ("https://localhost/", "no public host"),
        ("weather in Paris", "malformed"),
        ("who won the 1998 world cup?", "malformed"),
        ("https://xn--\u200d.example/", "malformed"),
        ("https://-a.example/", "malformed"),
        ("https://user@/", "malformed"),
        ("https://example.com/" + "a" * 9000, "longer than 8192"),
    ],
)
def test_what_is_no_web_address_is_refused_with_the_reason(text, reason):
    with pytest.raises(UrlRefusedError, match=reason):
        normalise_url(text)


@given(st.text(max_size=200))
def test_any_text_is_normalised_or_refused(text):
    try:
        url = normalise_url(text)
    except UrlRefusedError:
        return
    assert url.startswith(("http://", "https://"))
    assert normalise_url(url) == url


@pytest.mark.parametrize(
    "path", ["logout", "user/sign-out", "unsubscribe?id=1", "a?action=delete", "cart/checkout", "x?do=add-to-cart"]
)
def test_addresses_that_do_something_are_known(path):
    assert action_like(f"https://example.com/{path}")


@pytest.mark.parametrize(
    "path", ["", "blog/logouts-explained", "news/removed-scenes", "wiki/Deletion", "confirmed-cases", "voters"]
)
def test_addresses_that_show_something_are_not_mistaken(path):
    assert not action_like(f"https://example.com/{path}")


def test_variants_are_the_spellings_a_user_tries():
    assert variants("https://www.example.com/a?b") == (
        "https://example.com/a?b",
        "https://m.example.com/a?b",
        "http://www.example.com/a?b",
    )
    assert variants("http://example.co.uk/") == (
        "http://www.example.co.uk/",
        "http://m.example.co.uk/",
        "https://example.co.uk/",
    )
    assert variants("https://m.example.com/")[:2] == ("https://example.com/", "https://www.example.com/")
    assert variants("https://shop.example.com/") == ("http://shop.example.com/",)
    assert variants("https://8.8.8.8/") == ()
    assert sibling_of("https://example.com/a/b?c", "x") == "https://example.com/a/x"
