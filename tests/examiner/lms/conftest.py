"""A graded class beside a learning platform on loopback, connected."""

import pytest

import lms_platform
import marked_course
from lms_platform import INSTRUCTOR, member
from viva.whole import write_whole
from viva_examiner.lms import connection as connections
from viva_examiner.lms.connect import service_of
from viva_examiner.lms.key_pair import make_key, public_pem
from viva_examiner.lms.private import folder_of

PEOPLE = {"ada": ("Ada", "O'Neil & Sons"), "bob": ("Bob", "<b>Bold</b>"), "cyd": ("Cyd", "Müller")}


@pytest.fixture
def platform():
    people = [member(str(number), *names, email=f"{name}@uni.example", lis_person_sourcedid=name)
              for number, (name, names) in enumerate(PEOPLE.items(), start=11)]
    people.append(member("3", "Tea", "Cher", INSTRUCTOR))
    with lms_platform.served(lms_platform.Platform(people)) as platform:
        yield platform


@pytest.fixture(scope="session")
def a_key(tmp_path_factory):
    """One key for all tests: making it takes the longest."""
    path = tmp_path_factory.mktemp("key") / "uni.pem"
    make_key(path)
    return path


@pytest.fixture
def course(tmp_path, empty_gradebook, platform, a_key):
    """Three students with final marks in homework one: 8, 5 and 10 of 10."""
    course = marked_course.write_course(tmp_path / "course", empty_gradebook)
    for name, marks in {"ada": (6, 2), "bob": (5, 0), "cyd": (6, 4)}.items():
        marked_course.hand_in(course, "one", name, *marks)
    write_whole(folder_of(course) / a_key.name, a_key.read_bytes(), mode=0o600)
    connections.keep(course, platform.connection())
    platform.public_key = public_pem(connections.key_path(course, "uni"))
    return course


@pytest.fixture
def service(course, platform):
    return service_of(course, platform.connection())
