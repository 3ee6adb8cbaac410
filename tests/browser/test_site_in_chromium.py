"""The site of `make site` in Chromium: telephone to wide screen, light and dark, offline."""

import os

import pytest

import built_site

pytestmark = pytest.mark.browser
WIDTHS = (390, 1280, 1920)
LOOKED_AT = ("index", "course", "homeworks/kernel_attention", "student", "security")


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    return built_site.built(tmp_path_factory.mktemp("site") / "site")


def opened(chromium, asked: list, **options):
    """A page that notes whatever it asks for outside of the site."""
    page = chromium.new_context(**options).new_page()
    page.on("request", lambda request: asked.append(request.url)
            if not request.url.startswith(("file:", "data:")) else None)
    return page


@pytest.mark.parametrize("width", WIDTHS)
def test_every_page_fits_and_asks_for_nothing_from_elsewhere(site, chromium, width):
    asked: list[str] = []
    page = opened(chromium, asked, viewport={"width": width, "height": 900})
    for path in sorted([*site.glob("*.html"), *site.glob("homeworks/*.html")]):
        page.goto(path.as_uri())
        wide = page.evaluate("document.documentElement.scrollWidth")
        assert wide <= width, f"{path.name} is {wide} wide on a screen of {width}"
    page.context.close()
    assert asked == []


@pytest.mark.parametrize("scheme, dark", [("light", False), ("dark", True)])
def test_pages_are_light_or_dark_as_the_machine_is(site, chromium, scheme, dark):
    for width in WIDTHS:
        page = opened(chromium, [], viewport={"width": width, "height": 900}, color_scheme=scheme)
        for name in LOOKED_AT:
            page.goto((site / f"{name}.html").as_uri())
            ground = page.evaluate("getComputedStyle(document.body).backgroundColor")
            light = sum(map(int, ground[4:-1].split(",")[:3])) > 3 * 128
            assert light != dark, f"{name}: {ground}"
            if folder := os.environ.get("VIVA_SITE_PICTURES"):  # to be looked at
                page.screenshot(path=f"{folder}/{name.replace('/', '-')}-{width}-{scheme}.png")
        page.context.close()


def test_a_reader_finds_a_lesson_by_a_word_of_it(site, chromium):
    asked: list[str] = []
    page = opened(chromium, asked, viewport={"width": 1280, "height": 900})
    page.goto((site / "search.html").as_uri() + "?q=Nadaraya")
    page.locator("#search-results a", has_text="Kernelised").first.wait_for()
    assert asked == []
    page.context.close()


def test_formulas_have_height_and_lie_in_the_page(site, chromium):
    page = opened(chromium, [], viewport={"width": 390, "height": 900})
    page.goto((site / "homeworks/kernel_attention.html").as_uri())
    heights = page.evaluate("[...document.querySelectorAll('.formula math')]"
                            ".map(each => each.getBoundingClientRect().height)")
    assert len(heights) > 100 and min(heights) > 3
    page.context.close()
