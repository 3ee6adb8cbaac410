"""A real JupyterLab and a real Chromium. Tests wait on what is visible, never on time."""

import contextlib
import os
import shutil
from urllib.parse import urlsplit

import pytest
from PIL import Image

from lab import jupyter_lab
from repository import ROOT

PICTURES = ROOT / "docs" / "pictures"
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
AXE = ROOT / ".axe" / "node_modules" / "axe-core" / "axe.min.js"
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
         "--disable-background-networking", "--disable-component-update", "--disable-sync"]


@pytest.fixture(scope="session")
def chromium():
    if CHROMIUM is None:
        pytest.fail("no Chromium here: install Debian's package chromium")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture()
def serve(tmp_path):
    """serve(folder): the address of a JupyterLab of our own, until the test is over."""
    with contextlib.ExitStack() as servers:
        yield lambda folder: servers.enter_context(jupyter_lab(folder, tmp_path))


@pytest.fixture()
def page(serve, chromium, request):  # serve first: a failed page is drawn while it is served
    """A fresh page; when the test fails, what it showed is kept in screenshots/."""
    context = chromium.new_context(viewport={"width": 1200, "height": 900})
    context.set_default_timeout(120_000)
    page = context.new_page()
    yield page
    if getattr(request.node, "failed", False):
        folder = ROOT / "screenshots"
        folder.mkdir(exist_ok=True)
        page.screenshot(path=folder / f"{request.node.name}.png")
    context.close()


@pytest.fixture()
def elsewhere(page):
    """The addresses outside this machine that a page asks for; none of them answers."""
    asked = []

    def only_here(route):
        host = urlsplit(route.request.url).hostname
        if host in (None, "127.0.0.1"):
            route.continue_()
        else:
            asked.append(route.request.url)
            route.abort()

    page.context.route("**/*", only_here)
    return asked


@pytest.fixture(scope="session")
def barriers():
    """barriers(page): what axe-core finds that keeps people from using a page, serious or worse."""
    if not AXE.is_file():
        pytest.fail("axe-core is not here: `make test-browser` fetches it")
    source = AXE.read_text()

    def found(page) -> list:
        page.evaluate(source)  # not as a script of the page, which its policy would refuse
        told = page.evaluate("""axe.run().then(found => found.violations
            .filter(each => ["serious", "critical"].includes(each.impact))
            .map(each => [each.id, each.nodes.map(node => node.html.slice(0, 200))]))""")
        return told

    return found


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    outcome = yield
    item.failed = outcome.get_result().failed


@pytest.fixture(scope="session")
def picture():
    """Keep a picture for the documentation, when `make screenshots` asks for it."""

    def keep(shown, name: str, few_colours: bool = False, **options) -> None:
        if os.environ.get("VIVA_SCREENSHOTS"):
            PICTURES.mkdir(exist_ok=True)
            path = PICTURES / f"{name}.png"
            shown.screenshot(path=path, **options)
            if few_colours:  # a page of text, at a third of its size
                with Image.open(path) as picture:
                    picture.convert("RGB").quantize(64).save(path, optimize=True)

    return keep
