"""The order in which the processes of `make test` take the tests."""

from types import SimpleNamespace

from spreading import group, long_ones_first


def test_long_single_tests_first_then_the_files_with_the_most_tests():
    ids = ["a/test_few.py::one", "b/test_many.py::one", "b/test_many.py::two",
           "c/test_x_exam.py::test[first]", "c/test_x_exam.py::test[second]"]
    items = [SimpleNamespace(nodeid=each) for each in ids]
    long_ones_first(items)
    assert [item.nodeid for item in items] == [*ids[3:], *ids[1:3], ids[0]]
    assert [group(each) for each in ids[1:4]] == ["b/test_many.py", "b/test_many.py", ids[3]]
