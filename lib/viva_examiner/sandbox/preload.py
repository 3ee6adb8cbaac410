"""What is imported once, before candidates are forked: a course pays for what its notebooks name.

torch alone costs more than stock nbgrader spends on a small notebook. Whoever uses a library that
no notebook of the course names imports it in the candidate, as in a kernel.
"""

import importlib.util
import re
from pathlib import Path

PRELOAD = tuple(name for name in ("numpy", "torch", "matplotlib.pyplot", "IPython", "viva")
                if importlib.util.find_spec(name.partition(".")[0]))  # what a course has installed
HEAVY = {  # and how a notebook, or a module beside it, says that it needs it
    "torch": rb"torch|transformers|lightning",
    "matplotlib.pyplot": rb"matplotlib|pyplot|pylab|seaborn|\.plot\b|\.hist\b",
    "viva": rb"\bviva\b",
}
CODEC = "viva.plain"  # without the rest of the kit: the one part that every candidate needs
MOST_BYTES = 1 << 25  # of notebooks that are looked through; of more, everything is loaded


def wanted(course: Path | None) -> tuple[str, ...]:
    """Of PRELOAD, what is light and what the notebooks in a course's folder name.

    All of it if there is no course, or none with notebooks in `source/`.
    """
    if course is None:
        return PRELOAD
    found = [path for path in Path(course).glob("source/*/*")
             if path.suffix in (".ipynb", ".py") and path.is_file()]
    if not found or sum(path.stat().st_size for path in found) > MOST_BYTES:
        return PRELOAD
    texts = [path.read_bytes() for path in found]
    named = {name for name, words in HEAVY.items() if any(re.search(words, text) for text in texts)}
    chosen = tuple(name for name in PRELOAD if name in named or name not in HEAVY)
    return chosen if "viva" in named else (*chosen, CODEC)
