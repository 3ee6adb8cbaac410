"""What every test can rely on: one thread, no display, no network, a secret of its own."""
import gc
import os
import shutil
import sys
import textwrap
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# Before torch or matplotlib are imported by any test module.
os.environ.update(OMP_NUM_THREADS="1", MKL_NUM_THREADS="1", MPLBACKEND="Agg")
# jupyter's own choice of directories, without its deprecation warning
os.environ.setdefault("JUPYTER_PLATFORM_DIRS", "1")
# pytest-xdist starts the workers with the environment of the first process: all agree on it.
os.environ["VIVA_SECRET"] = SECRET = "the secret of the test suite"
# nbgrader starts alembic by its bare name when it makes a gradebook.
os.environ["PATH"] = str(Path(sys.executable).parent) + os.pathsep + os.environ["PATH"]
# How long an example takes says how busy the machine is, nothing about a property.
settings.register_profile("busy", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("busy")


def pytest_collection_modifyitems(items):
    """The order in which processes take the tests (tests/support/spreading.py)."""
    from spreading import long_ones_first

    long_ones_first(items)


def pytest_collection_finish():
    """What all test modules have imported is no garbage, here and in the forks of this process."""
    gc.collect()
    gc.freeze()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """For `--dist loadfile`, as make has it."""
    from spreading import Spread

    return Spread(config, log) if config.getvalue("dist") == "loadfile" else None


def pytest_runtest_setup(item):
    """A test that grades in this process leaves its own course's secret behind."""
    os.environ["VIVA_SECRET"] = SECRET


@pytest.fixture(scope="session")
def empty_gradebook(tmp_path_factory):
    """A gradebook without homeworks, in a file of its own."""
    import courses

    path = tmp_path_factory.mktemp("gradebook") / "gradebook.db"
    path.write_bytes(courses.empty_gradebook())
    return path


@pytest.fixture(scope="session")
def examiner_here():
    """One warm interpreter for the tests that grade a course but are not about workers."""
    from courses import Examiner

    examiner = Examiner()
    yield examiner
    examiner.close()


@pytest.fixture
def cells():
    """The cells of the homework by name; a test may change them before it writes the course."""
    from doubling import doubling_cells

    return doubling_cells()


@pytest.fixture
def course(tmp_path, cells, empty_gradebook):
    """A function that writes the cells as a course."""
    from doubling import write_course

    def write(metadata=None, keep_gradebook=False):
        made = write_course(tmp_path / "course", cells, metadata)
        if not keep_gradebook:
            shutil.copy(empty_gradebook, made.root)
        return made
    return write


@pytest.fixture(scope="session")
def warm():
    """A warm interpreter with all that students use."""
    from viva_examiner.sandbox.interpreter import WarmInterpreter

    with WarmInterpreter() as warm:
        yield warm


@pytest.fixture
def session(warm):
    """A candidate of its own."""
    from candidates import QUICK

    with warm.fork("ada", {"data.txt": b"seven"}, QUICK) as session:
        yield session


@pytest.fixture
def define(session):
    """Run a cell and resolve names in it."""

    def define(source, *names):
        result = session.run_cell(textwrap.dedent(source))
        assert result.error is None, result.error
        found = session.resolve(names)
        return found[names[0]] if len(names) == 1 else [found[name] for name in names]

    return define
