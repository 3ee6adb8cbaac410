"""One student's machine for all tests that need one."""

import pytest


@pytest.fixture(scope="session")
def student(tmp_path_factory):
    from student_machine import set_up

    return set_up(tmp_path_factory.mktemp("student"))
