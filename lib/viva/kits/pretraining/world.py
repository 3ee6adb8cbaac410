"""A small world with 1000 people, 96 places and one fact about everybody.

Every word of its sentences is one character, so that a document is a short string and all functions
on strings apply unchanged. Everything follows from a seed.
"""

import random

PAD, MASK = "\u25a1", "\u2047"
FIRST_WORD = 0xE000  # the first character that Unicode leaves to private use

FIRST = """Ada Bela Carl Dina Emil Faye Gus Hana Igor Jane Kofi Lena Milo Nora Omar Pia Quinn Rosa
Sven Tara Uma Vito Wanda Xavi Yara Zeno Alma Bruno Clara Dario Elsa Finn Greta Hugo Iris Jonas Kira
Lars Maya Noel""".split()
LAST = """Abbott Baker Castro Dietrich Ek Fischer Garcia Haddad Ito Jensen Kovacs Lindqvist Moreau
Novak Okafor Petrov Quist Rossi Sato Tanaka Ueda Vogel Weber Xu Yilmaz Zhang Amado Bergman Costa
Duarte Engel Farkas Grant Horvat Ivanov Joshi Keller Lopez Meyer Nakamura""".split()
PLACES = """London Accra Algiers Amman Ankara Athens Baghdad Baku Bamako Bangkok Basel Beijing
Beirut Belfast Belgrade Bergen Berlin Bern Bilbao Bogota Bologna Boston Bremen Brno Brussels
Bucharest Budapest Cairo Calgary Cardiff Chennai Chicago Cologne Cork Cracow Dakar Dallas Delhi
Denver Dhaka Doha Dresden Dublin Durban Essen Florence Geneva Genoa Ghent Graz Hanoi Harare
Havana Helsinki Istanbul Jakarta Kabul Kampala Karachi Kiev Kyoto Lagos Leeds Leipzig Lima Linz
Lisbon Lodz Lusaka Lyon Madrid Malmo Manila Marseille Medan Miami Milan Minsk Montreal Moscow
Mumbai Munich Nairobi Nantes Naples Nice Odessa Oslo Oxford Palermo Paris Perth Porto Prague
Quito Riga""".split()
TEMPLATES = (
    "{name} was born in {place} .",
    "the birthplace of {name} is {place} .",
    "{name} came into the world in {place} .",
)
QUESTION = "Where was {name} born ?"


class World:
    """Who was born where.

    train, dev   lists of 500 pairs (name, place) each; no person is in both. In each list 25
                 people are from London, and 5 from each of 95 other places
    corpus()     three sentences about everybody, as strings of one character per word
    questions(people)   pairs (question, answer), in the same writing
    write, read  from words to characters, and back
    """

    def __init__(self, seed: int = 0):
        rng = random.Random(seed)
        names = [f"{first} {last}" for first in FIRST for last in LAST]
        people = rng.sample(names, 1000)
        self.train, self.dev = (
            list(zip(people[start : start + 500], self._answers(rng), strict=True))
            for start in (0, 500)
        )
        words = {word for text in (*TEMPLATES, QUESTION) for word in text.split()
                 if "{" not in word}
        self.words = [*PLACES, *FIRST, *LAST, *sorted(words)]
        self._letter = {word: chr(FIRST_WORD + i) for i, word in enumerate(self.words)}

    @staticmethod
    def _answers(rng) -> list:
        """500 places: London 25 times and every other place 5 times, in any order."""
        answers = [PLACES[0]] * 25 + [place for place in PLACES[1:] for _ in range(5)]
        rng.shuffle(answers)
        return answers

    def write(self, text: str) -> str:
        """Words, separated by blanks, as a string of one character per word."""
        return "".join(self._letter[word] for word in text.split())

    def read(self, string: str) -> str:
        """The words behind a string; PAD and MASK stay as they are."""
        return " ".join(self.words[ord(each) - FIRST_WORD] if each not in (PAD, MASK) else each
                        for each in string)

    def corpus(self, people=None) -> list:
        """Three documents for each person (everybody, unless told otherwise)."""
        people = [*self.train, *self.dev] if people is None else people
        return [self.write(template.format(name=name, place=place))
                for name, place in people for template in TEMPLATES]

    def questions(self, people) -> list:
        """A pair (question, answer) for each person."""
        return [(self.write(QUESTION.format(name=name)), self.write(place))
                for name, place in people]
