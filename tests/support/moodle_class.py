"""Thirty students with awkward names, two teachers and two groups: a class for a real Moodle."""

NAMES = [
    ("Anna", "Müller"), ("Anna", "Müller"), ("Seán", "O'Brien"), ("Jean_Luc", "Le_Pen"),
    ("Tom & Tim", "Smith: Jr."), ("李", "小龍"), ("Ñandú", "Çelik"), ("Nguyễn", "Văn A"),
    ("Владимир", "Иванов"), ("محمد", "علي"), ("Robert'); DROP TABLE", "students;--"),
    ("=cmd()", "+1"), ("<b>Bold</b>", "<script>alert(1)</script>"), ("Ada", "King, Countess"),
    ("Mary Ann", "van der Berg"), ("X", "Æ A-12"), ("José", "García"), ("José", "Garcia"),
    ("Zoë", "D’Arcy"), ("Björk", "Guðmundsdóttir"), ("Mononymous", "-"), ("Émile", "Zola"),
    ("Straße", "Groß"), ("a" * 60, "b" * 60), ("Participant", "17"), ("Eve", "Smith_99_file"),
    ("Kim", "Min-jun"), ("Øyvind", "Åse"), ("Dot.", "Ted."), ("Last", "One"),
]
TEACHERS = {"teach": ("Tea", "Cher", "editingteacher"), "assist": ("Assi", "Stant", "teacher")}


def students() -> list[dict]:
    """Every third has no number of the institution; logins are not their ids in the course."""
    return [{"login": f"user{n:02}", "first": first, "last": last, "role": "student",
             "email": f"person{n:02}@uni.example", "number": f"s{1000 + n}" if n % 3 else ""}
            for n, (first, last) in enumerate(NAMES)]


def teachers() -> list[dict]:
    return [{"login": login, "first": first, "last": last, "role": role, "number": "",
             "email": f"{login}@uni.example"} for login, (first, last, role) in TEACHERS.items()]


def groups() -> dict[str, list[str]]:
    logins = [each["login"] for each in students()]
    return {"red": logins[:15], "blue": logins[15:]}
