"""How `make test` hands its tests to processes: a file's tests stay together for what they share,
but for files that share nothing and take long, whose tests go first and one by one.
"""

import pytest
from xdist.scheduler import LoadScopeScheduling

# Each test of these proves one exercise or one homework, in processes of its own.
ALONE = ("_exam.py", "test_what_lessons_state.py", "test_advice.py", "test_papers.py")


def group(nodeid: str) -> str:
    """What is run by one process in one go: the test itself, or all of its file."""
    file = nodeid.partition("::")[0]
    return nodeid if file.endswith(ALONE) else file


def long_ones_first(items: list[pytest.Item]) -> None:
    """In place: single tests, then files, those with the most tests first.

    No process is then left with a long file when the others have nothing to do.
    """
    sizes: dict[str, int] = {}
    for item in items:
        sizes[group(item.nodeid)] = sizes.get(group(item.nodeid), 0) + 1
    items.sort(key=lambda item: (group(item.nodeid) != item.nodeid, -sizes[group(item.nodeid)],
                                 item.nodeid.partition("::")[0]))


class Spread(LoadScopeScheduling):
    """xdist's scheduler, with the groups above in the order above."""

    def __init__(self, config: pytest.Config, log=None) -> None:
        config.option.loadscopereorder = False
        super().__init__(config, log)

    def _split_scope(self, nodeid: str) -> str:
        return group(nodeid)
