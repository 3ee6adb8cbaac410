"""The pages of the site, as Sphinx reads them: the docs as they are, the notebooks as released."""

import re
import shutil
from dataclasses import dataclass
from pathlib import Path

import nbformat

from viva_examiner.course import Course
from viva_examiner.release.kit_cell import AddKitCell, problems_of_colab
from viva_examiner.release.problems import Problem, ReleaseRefused
from viva_examiner.release.refusals import read
from viva_examiner.release.student_bundle import bundle

HERE = Path(__file__).parent
ROW = re.compile(r"^\| `(\w+)` \| ([^|]+) \| (?:`(\w+)`)? ?\|$", re.M)  # of README's table
HOURS = re.compile(r"[Aa]bout (\w+) hours")
WORDS = {"five": "5", "six": "6", "seven": "7"}
CODE = re.compile(r"(^```.*?^```)", re.S | re.M)


@dataclass(frozen=True)
class Homework:
    """What the site says of a homework in addition to its lesson."""

    name: str
    question: str
    after: str  # the homework that it builds on, or nothing
    title: str
    hours: str


def write_pages(course: Course, folder: Path) -> None:
    """Everything that Sphinx reads, into a new folder. Raises ReleaseRefused."""
    colab = AddKitCell(config=course.config)
    if problems := list(problems_of_colab(colab)):
        raise ReleaseRefused("the site", problems)
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "homeworks").mkdir(parents=True)
    archive = bundle(course, folder / "downloads")
    homeworks = homeworks_of(course)
    for each in homeworks:
        path = Path(course.path("release", ".", each.name)) / f"{each.name}.ipynb"
        shutil.copy(path, folder / "downloads")
        nbformat.write(lesson(read(path), each, homeworks, colab.colab),
                       folder / "homeworks" / path.name)
    docs = course.root / "docs"
    for page in docs.glob("*.md"):
        (folder / page.name).write_text(linked(page.read_text(), homeworks))
    shutil.copytree(docs / "pictures", folder / "pictures")
    (folder / "static").mkdir()
    shutil.copy(HERE / "style.css", folder / "static")
    shutil.copy(HERE / "conf.py", folder)
    home = (HERE / "home.md").read_text()
    for name, text in {"{table}": table(homeworks), "{archive}": archive.name,
                       "{pages}": "\n".join(f"homeworks/{each.name}" for each in homeworks),
                       "{megabytes}": f"{archive.stat().st_size / 1e6:.1f}"}.items():
        home = home.replace(name, text)
    (folder / "index.md").write_text(home)


def homeworks_of(course: Course) -> list[Homework]:
    """The homeworks in the order of the term, with what README and their own notebooks say."""
    rows = {row[0]: row for row in ROW.findall((course.root / "README.md").read_text())}
    found = []
    for name in course.term():
        cells = read(Path(course.path("release", ".", name)) / f"{name}.ipynb").cells
        opening = "\n".join(cell.source for cell in cells[:3])
        title, hours = re.search(r"^# (.+)$", opening, re.M), HOURS.search(opening)
        if name not in rows or not title or not hours:
            raise ReleaseRefused(name, [Problem(
                "README.md and the first cell", "do not both describe it",
                "give it a row in README's table, and a first cell with a title and `about … hours`"
            )])
        found.append(Homework(*rows[name], title[1], WORDS.get(hours[1], hours[1])))
    return found


def lesson(released: nbformat.NotebookNode, homework: Homework, others: list[Homework],
           colab: str) -> nbformat.NotebookNode:
    """The released notebook as a page: one title, below it what it takes and where to get it."""
    titles = {each.name: each.title for each in others}
    needs = f"[{titles[homework.after]}]({homework.after}.ipynb)" if homework.after else "none"
    name = homework.name
    facts = [f"**Hours**: about {homework.hours}", f"**Homework before it**: {needs}",
             f"{{download}}`Download the notebook <../downloads/{name}.ipynb>`"]
    if colab:
        facts.append(f"[Open in Colab]({colab}/{name}/{name}.ipynb)")
    first, *rest = released.cells
    heading, _, text = first.source.partition("\n")
    first.source = f"{heading}\n\n{' · '.join(facts)}\n\n{text}"
    in_parts = False
    for cell in rest:
        if cell.cell_type == "markdown":
            in_parts = in_parts or cell.source.startswith("# ")
            cell.source = demoted(cell.source) if in_parts else cell.source
    return released


def demoted(text: str) -> str:
    """Headings one level down: a page has one title, a notebook has one more for each part."""
    return outside_code(text, lambda prose: re.sub(r"^(#{1,5}) ", r"#\1 ", prose, flags=re.M))


def linked(text: str, homeworks: list[Homework]) -> str:
    """A page of docs/: other pages by their titles, homeworks of the plan with their lessons."""
    def prose(part: str) -> str:
        part = re.sub(r"\[([\w-]+\.md)\]\(\1\)", r"[](\1)", part)
        for each in homeworks:
            part = re.sub(rf"^(\| \d+ \|.*?)`{each.name}`(?!\])",
                          rf"\1[`{each.name}`](homeworks/{each.name}.ipynb)", part, flags=re.M)
        return part
    return outside_code(text, prose)


def outside_code(text: str, change) -> str:
    parts = CODE.split(text)
    return "".join(part if at % 2 else change(part) for at, part in enumerate(parts))


def table(homeworks: list[Homework]) -> str:
    rows = ["| lesson | what it asks | hours |", "|---|---|---|"]
    return "\n".join(rows + [f"| [{each.title}](homeworks/{each.name}.ipynb) | {each.question} "
                             f"| {each.hours} |" for each in homeworks])
