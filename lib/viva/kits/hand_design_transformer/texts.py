"""Two free texts as lists of words: a rhyme that repeats itself, and the beginning of a story."""
import json
import re
from pathlib import Path


def words(name):
    """The words of "rhyme" or "story" in small letters; texts.json says where they are from."""
    found = json.loads((Path(__file__).parent / "texts.json").read_text(encoding="utf-8"))
    text = " ".join(found[name]["lines"]).lower()
    return re.findall(r"[a-z]+(?:['-][a-z]+)*", text)


def verses():
    """The number of words in each verse of the rhyme."""
    found = json.loads((Path(__file__).parent / "texts.json").read_text(encoding="utf-8"))
    return [len(verse.split()) for verse in "\n".join(found["rhyme"]["lines"]).split("\n\n")]
