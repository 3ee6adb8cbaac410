"""`make site`: what its pages say, that they lead somewhere, load nothing, and show no answer."""

import html
import json
import re
import shutil
from functools import cache
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from bs4 import BeautifulSoup

import built_site
from repository import ROOT
from site_leaks import problems_of_files
from site_pages import homeworks_of, lesson
from viva_examiner.course import Course
from viva_examiner.release.kit_cell import AddKitCell, problems_of_colab
from viva_examiner.release.refusals import read
from viva_examiner.release.released_faults import secret_lines

COURSE = Course(ROOT)
COLAB = "https://colab.research.google.com/github/uni/course/blob/main/release"
LOADS = {"script": "src", "link": "href", "img": "src", "iframe": "src", "source": "src",
         "object": "data", "embed": "src", "video": "src", "audio": "src"}
READERS = {"student": "student", "ta": "TAs", "staff": "Course staff", "hub": "Administrators"}


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    return built_site.built(tmp_path_factory.mktemp("built") / "site")


@cache
def soup(path: Path) -> BeautifulSoup:
    return BeautifulSoup(path.read_text(), "html.parser")


def pages(site: Path) -> list[Path]:
    return sorted([*site.glob("*.html"), *site.glob("homeworks/*.html")])


def test_home_says_what_for_whom_and_leads_every_reader_on(site):
    home = soup(site / "index.html").select_one("article")
    assert "homeworks for a first or second course on deep learning" in home.get_text()
    assert "For students" in home.get_text() and "For those who teach" in home.get_text()
    leads = [link["href"] for link in home.select("a[href]")]
    lessons = [f"homeworks/{name}.html" for name in COURSE.term()]
    assert [each for each in leads if each in lessons] == lessons, "the order of the term"
    docs = {f"{path.stem}.html" for path in (ROOT / "docs").glob("*.md")}
    assert docs <= set(leads), "every page of docs/ is for somebody"
    captions = [each.get_text() for each in soup(site / "index.html").select("p.caption")]
    assert {"Students", "TAs", "Course staff", "Administrators"} <= set(captions)


def test_the_plan_of_the_term_leads_to_the_lessons(site):
    links = {link["href"] for link in soup(site / "course.html").select("table a[href]")}
    assert {f"homeworks/{name}.html" for name in COURSE.homeworks()} <= links


@pytest.mark.parametrize("homework", homeworks_of(COURSE), ids=lambda each: each.name)
def test_a_lesson_is_the_release_with_hours_prerequisites_and_download(site, homework):
    path = site / "homeworks" / f"{homework.name}.html"
    article = soup(path).select_one("article")
    told = article.get_text()
    assert f"Hours: about {homework.hours}" in told
    [download] = article.select("a.download")
    released = ROOT / "release" / homework.name / f"{homework.name}.ipynb"
    assert (path.parent / download["href"]).read_bytes() == released.read_bytes()
    assert not homework.after or article.select(f'p a[href="{homework.after}.html"]')
    assert len(article.find_all("h1")) == 1
    shown = re.sub(r"\s", "", told)
    for cell in read(released).cells:
        if cell.cell_type == "code":
            assert re.sub(r"\s", "", cell.source) in shown, cell.id


def test_a_lesson_opens_in_colab_where_the_course_says_how():
    homework, *others = homeworks_of(COURSE)
    notebook = read(ROOT / "release" / homework.name / f"{homework.name}.ipynb")
    made = lesson(notebook, homework, [homework, *others], COLAB)
    address = f"{COLAB}/{homework.name}/{homework.name}.ipynb"
    assert f"[Open in Colab]({address})" in made.cells[0].source


def test_colab_needs_an_address_of_its_own_and_a_notebook_that_installs_the_kit():
    kit = "https://example.org/viva_kit-1.0.0-py3-none-any.whl"
    assert not list(problems_of_colab(AddKitCell()))
    assert not list(problems_of_colab(AddKitCell(url=kit, colab=COLAB)))
    [alone] = problems_of_colab(AddKitCell(colab=COLAB))
    assert "cannot install the kit" in alone.what
    for wrong in ("https://example.org/release", COLAB + '/" onclick="x', COLAB + "/"):
        [problem] = problems_of_colab(AddKitCell(url=kit, colab=wrong))
        assert "no address" in problem.what or "not an address" in problem.what


def test_no_page_loads_anything_from_elsewhere(site):
    for path in pages(site):
        for tag, attribute in LOADS.items():
            for each in soup(path).find_all(tag):
                assert not urlsplit(each.get(attribute) or "").netloc, f"{path.name}: {each}"
    for path in site.rglob("*.css"):
        for address in re.findall(r"url\(\s*[\"']?([^\"')]+)|@import\s+[\"']([^\"']+)",
                                  path.read_text()):
            assert not urlsplit("".join(address)).netloc, f"{path.name}: {address}"


def test_links_lead_to_a_place_that_exists_or_have_the_form_of_an_address(site):
    checked = 0
    for path in pages(site):
        for link in soup(path).select("article a[href]"):
            parts = urlsplit(link["href"])
            if parts.scheme:
                assert parts.scheme in ("https", "http", "mailto"), link
                assert re.fullmatch(r"[\w-]+(\.[\w-]+)+", parts.hostname or ""), link
            else:
                target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
                assert target.exists(), f"{path.name}: {link}"
                if parts.fragment and target.suffix == ".html":
                    assert soup(target).find(id=unquote(parts.fragment)), f"{path.name}: {link}"
            checked += 1
    assert checked > 300


def test_one_can_search_in_light_and_dark_on_a_telephone(site):
    index = (site / "searchindex.js").read_text()
    known = json.loads(index.removeprefix("Search.setIndex(").rstrip(");"))["docnames"]
    assert {f"homeworks/{name}" for name in COURSE.homeworks()} | set(READERS) <= set(known)
    for path in pages(site):
        assert soup(path).select_one("button.theme-switch-button"), path.name
        assert "width=device-width" in soup(path).select_one("meta[name=viewport]")["content"]


def test_formulas_are_drawn_and_none_is_left_to_a_script(site):
    text = (site / "homeworks/kernel_attention.html").read_text()
    assert text.count("<math") > 100 and "MathJax" not in text


def longest(homework: str, of: str) -> str:
    """The longest secret line of a source notebook, of cells whose id begins like this."""
    source = read(ROOT / "source" / homework / f"{homework}.ipynb")
    return max((line for _, line, origin in secret_lines(source) if f"cell {of}" in origin),
               key=len)


def test_a_leak_is_found_by_whatever_way_it_came(tmp_path):
    line, answer = longest("kernel_attention", "linear_"), longest("kernel_attention", "written_")
    exams = (ROOT / "lib/viva_course/exams/purification").rglob("*.py")
    exam = max((each.strip() for path in exams for each in path.read_text().splitlines()
                if "reference." in each), key=len)
    spans = re.sub(r"(\w+)", r"<span>\1</span>", html.escape(line))  # as it is highlighted
    printed = {"cells": [{"source": "", "outputs": [{"text": line}]}]}
    planted = {
        "ta.html": f"<pre>{spans}</pre>".encode(),
        "voce.md": answer.encode(),
        "security.md": exam.encode(),
        "figure.png": b"\x89PNG of the staff",
        "purification.html": b'<img alt="" src="data:image/png;base64,AA">',
        "printed.ipynb": json.dumps(printed).encode(),
    }
    clean = {"clean.md": (ROOT / "docs/ta.md").read_bytes(),
             "card.png": (ROOT / "docs/pictures/card.png").read_bytes()}
    for name, content in (planted | clean).items():
        (tmp_path / name).write_bytes(content)
    assert {each.where for each in problems_of_files(COURSE, tmp_path)} == set(planted)


def test_the_homeworks_pages_name_nothing_of_the_staff(site):
    """The words of the bundle's own leak test; pages for staff may say them."""
    for path in (site / "homeworks").glob("*.html"):
        told = soup(path).select_one("article").get_text()
        for word in ("viva_course", "viva_examiner", "BEGIN HIDDEN", "BEGIN SOLUTION", "Rubric",
                     "claim:", "/claim"):
            assert word not in told, f"{path.name} holds {word}"


@pytest.fixture()
def small(tmp_path):
    """A course with one homework of ours."""
    name = COURSE.term()[0]
    for path in ("nbgrader_config.py", "README.md", "requirements.lock"):
        shutil.copy(ROOT / path, tmp_path)
    shutil.copytree(ROOT / "docs", tmp_path / "docs")
    (tmp_path / "lib").symlink_to(ROOT / "lib")
    for room in ("source", "release"):
        shutil.copytree(ROOT / room / name, tmp_path / room / name)
    return tmp_path


def test_an_answer_a_dead_link_and_a_formula_that_cannot_be_drawn_stop_the_build(small):
    page, secret = small / "docs/ta.md", longest(COURSE.term()[0], "")
    page.write_text(f"{page.read_text()}\nLike `{secret}`, [there](nowhere.md), "
                    "$\\begin{pmatrix} 1$.\n")
    done = built_site.build(small, small / "dist/site")
    assert done.returncode == 1 and not (small / "dist/site").exists()
    for words in ("ta.md: shows a line of", "nowhere.md", "cannot draw"):
        assert words in done.stderr
