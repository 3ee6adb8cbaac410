"""Every limit of a submission is a setting of the course, with the same default."""

from dataclasses import fields

from viva_examiner.course import Course, Examiner
from viva_examiner.limits import Limits


def test_every_limit_is_a_setting_with_its_default():
    settings = Examiner()
    for each in fields(Limits):
        assert getattr(settings, each.name) == getattr(Limits(), each.name), each.name


def test_what_a_course_sets_is_what_a_submission_gets(tmp_path):
    wanted = {each.name: getattr(Limits(), each.name) + 1 for each in fields(Limits)}
    lines = [f"c.Examiner.{name} = {value}" for name, value in wanted.items()]
    (tmp_path / "nbgrader_config.py").write_text("\n".join(["c = get_config()", *lines]))
    assert Course(tmp_path).limits == Limits(**wanted)
