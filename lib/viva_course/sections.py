"""A homework's sections: one file each, of the same name in `cases`, `reference` and `exams`."""

import importlib

from viva import tables


def exported(package: str) -> dict:
    """What `viva_course.reference.<homework>` offers: the public functions and classes of its
    sections, by name."""
    names = {}
    for section in tables.sections_of(package.rpartition(".")[2]):
        module = importlib.import_module(f"{package}.{section}")
        names |= {name: each for name, each in vars(module).items() if not name.startswith("_")
                  and getattr(each, "__module__", "").startswith(f"{package}.")}
    return names
