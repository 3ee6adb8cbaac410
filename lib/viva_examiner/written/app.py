"""The page on loopback: one question at a time over all students, names hidden."""

import json
import secrets
from pathlib import Path

import nh3
import tornado.web
from nbconvert.filters.markdown_mistune import markdown2html_mistune

from viva_examiner.harmless import ATTRIBUTES, SCHEMES, TAGS, harmless_markdown
from viva_examiner.written.answers import answers_of, grouped, questions_of
from viva_examiner.written.marks import Conflict, Marks
from viva_examiner.written.rubric import comment_of, read_comment, score_of

HERE = Path(__file__).parent
POLICY = ("default-src 'none'; script-src 'self' 'unsafe-eval'; style-src 'self' 'unsafe-inline'; "
          "img-src 'self' data:; font-src 'self'; connect-src 'self'; base-uri 'none'; "
          "form-action 'none'; frame-ancestors 'none'")
MAX_BODY = 4 << 20


class Desk:
    """The questions of a homework, the class's answers, and the gradebook."""

    def __init__(self, course, homework: str):
        self.course, self.homework = course, homework
        sources = sorted(Path(course.path("source", ".", homework)).glob("*.ipynb"))
        self.questions = [question for path in sources for question in questions_of(path)]
        self.marks = Marks(course, homework)
        self.answers: dict[str, dict[str, str]] = {}
        for student in self._students():
            folder = Path(course.path("autograded", student, homework))
            for path in sources:
                for name, text in answers_of(folder / path.name).items():
                    self.answers.setdefault(name, {})[student] = text

    def _students(self) -> list[str]:
        return sorted({student for question in self.questions
                       for student in self.marks.of(question.name, question.notebook)})

    def overview(self) -> list[dict]:
        """A row per question: what it is, and how many answers wait."""
        rows = []
        for question in self.questions:
            marks = self.marks.of(question.name, question.notebook).values()
            rows.append({"name": question.name, "points": question.points, "all": len(marks),
                         "waiting": sum(mark.pending for mark in marks)})
        return rows

    def question(self, number: int) -> dict:
        """One question with its answers in groups, as the page needs it."""
        question = self.questions[number]
        marks = self.marks.of(question.name, question.notebook)
        answers = {student: text for student, text in self.answers.get(question.name, {}).items()
                   if student in marks}
        said = {}  # comments of this question that may be used again, the most frequent first
        for mark in marks.values():
            if words := read_comment(question.rubric, mark.comment)[1]:
                said[words] = said.get(words, 0) + 1
        return {
            "name": question.name, "points": question.points, "asks": page_of(question.asks),
            "answer": page_of(question.rubric.answer),
            "items": [{"points": item.points, "says": page_of(item.says)}
                      for item in question.rubric.items],
            "comments": sorted(said, key=lambda words: -said[words])[:20],
            "groups": [self._group(question, group, marks) for group in grouped(answers)],
        }

    def _group(self, question, group, marks: dict) -> dict:
        rows = []
        for student in group.students:
            mark = marks[student]
            shares, words = read_comment(question.rubric, mark.comment)
            rows.append({"student": student, "grade": mark.grade, "remark": mark.remark,
                         "score": mark.score, "comment": mark.comment, "shares": shares,
                         "words": words, "pending": mark.pending, "automatic": mark.automatic})
        return {"page": page_of(harmless_markdown(group.text)), "empty": group.is_empty,
                "rows": rows}

    def grade(self, number: int, rows: list[dict], shares: list[float] | None, words: str,
              score: float | None) -> None:
        """Grade answers alike: by ticked items, or by a score where a question has none."""
        question = self.questions[number]
        if shares is not None:
            score = score_of(question.rubric, shares, question.points)
            comment = comment_of(question.rubric, shares, words)
        else:
            comment = words.strip()
        self.marks.write([row | {"score": score, "comment": comment} for row in rows])

    def restore(self, rows: list[dict]) -> None:
        """Undo: every row gets back the score and comment it had."""
        self.marks.write(rows)


def page_of(markdown: str) -> str:
    """Markdown as HTML that runs nothing."""
    return nh3.clean(markdown2html_mistune(markdown.replace("attachment:", "#")), tags=set(TAGS),
                     attributes=ATTRIBUTES, url_schemes=SCHEMES)


class Handler(tornado.web.RequestHandler):
    """Only for who has the token, and only under the name of this machine."""

    @property
    def desk(self) -> Desk:
        return self.settings["desk"]

    def prepare(self) -> None:
        host = self.request.host.rsplit(":", 1)[0]
        given = self.request.headers.get("X-Token") or self.get_query_argument("token", "")
        if host not in ("127.0.0.1", "localhost", "[::1]"):
            raise tornado.web.HTTPError(403, reason="Only on this machine")
        if not secrets.compare_digest(given.encode(), self.settings["token"].encode()):
            raise tornado.web.HTTPError(403, reason="Open the address that viva written printed")

    def set_default_headers(self) -> None:
        self.set_header("Content-Security-Policy", POLICY)
        self.set_header("X-Content-Type-Options", "nosniff")
        self.set_header("Referrer-Policy", "no-referrer")
        self.set_header("Cache-Control", "no-store")


class Page(Handler):
    def get(self) -> None:
        self.write((HERE / "page.html").read_text())


class Overview(Handler):
    def get(self) -> None:
        self.write({"homework": self.desk.homework, "questions": self.desk.overview()})


class OneQuestion(Handler):
    def get(self, number: str) -> None:
        self.write(self.desk.question(self._number(number)))

    def post(self, number: str) -> None:
        told = json.loads(self.request.body)
        try:
            if "restore" in told:
                self.desk.restore(told["restore"])
            else:
                self.desk.grade(self._number(number), told["rows"], told["shares"],
                                told["words"], told["score"])
        except Conflict as error:
            self.set_status(409)
            self.write({"students": error.students})
            return
        self.write({"done": True})

    def _number(self, text: str) -> int:
        number = int(text)
        if number >= len(self.desk.questions):
            raise tornado.web.HTTPError(404)
        return number


def application(desk: Desk, token: str) -> tornado.web.Application:
    """The page, its two calls, its script and style, and a local MathJax."""
    import jupyter_server_mathjax

    mathjax = Path(jupyter_server_mathjax.__file__).parent / "static"
    return tornado.web.Application([
        (r"/", Page), (r"/api/questions", Overview), (r"/api/questions/(\d+)", OneQuestion),
        (r"/static/(page\.js|page\.css)", tornado.web.StaticFileHandler, {"path": str(HERE)}),
        (r"/mathjax/(.*)", tornado.web.StaticFileHandler, {"path": str(mathjax)}),
    ], desk=desk, token=token, max_body_size=MAX_BODY)
