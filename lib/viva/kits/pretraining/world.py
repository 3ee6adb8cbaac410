"""A small world with 1000 people, 96 places and one fact about everybody.

Every word of its sentences is one character, so that a document is a short string and all functions
on strings apply unchanged. On average ten people share a first name and five share a family name:
the fewer share a name, the sooner a network tells them apart. Everything follows from a seed.
"""

import random

PAD, MASK = "\u25a1", "\u2047"
FIRST_WORD = 0xE000  # the first character that Unicode leaves to private use

FIRST = """Ada Adil Aiko Alma Amit Ana Anton Ari Bela Bo Bruno Carl Chen Clara Dana Dario Dina Edith
Elif Elsa Emil Emma Enzo Erik Esra Eva Farid Faye Felix Finn Gita Greta Gus Hana Hugo Ida Igor Ilse
Imani Ines Iris Ivan Jan Jane Jonas Juan Jun Kai Karim Kira Kofi Lars Lea Lena Leo Lin Luis Luka
Maja Malik Marta Maya Mei Milo Mina Nadia Nils Noel Nora Olga Omar Otto Pablo Pia Priya Quinn Rafa
Remi Rita Rosa Sana Sara Selma Sven Tara Teo Tess Theo Tim Uma Vera Vito Wanda Wei Xavi Yara Yusuf
Zara Zeno Zoe""".split()
LAST = """Abbott Adeyemi Aguilar Ahmed Akkerman Almeida Amado Andersen Aoki Arslan Bailey Baker
Bakker Balogun Banerjee Barros Bauer Becker Bello Berg Bergman Bianchi Blom Borg Bose Bouchard
Brandt Bravo Burke Camara Campos Carlsen Castro Cavalli Chandra Chavez Cho Cohen Conti Costa Cruz
Dahl Danso Delgado Demir Desai Diallo Dietrich Dogan Doyle Duarte Dubois Dvorak Egede Ek Ekman Elias
Engel Erdem Esposito Eze Fabre Farkas Ferrari Fischer Flores Fofana Fonseca Franco Fuchs Fujita
Gallo Garcia Gill Gomes Grant Greco Gruber Gupta Haas Haddad Hagen Hansen Haruna Hasan Hayashi
Heikkinen Herrera Hoang Hoffmann Holm Horvat Huang Ibrahim Ito Ivanov Jain Jansen Jensen Jimenez
Joshi Juhasz Kaya Keita Keller Khan Kim Klein Kone Koroma Kovacs Kowalski Kruger Kumar Laine Larsen
Lehmann Leroy Lewis Lind Lindqvist Lopez Lund Maier Malek Mancini Marino Marsh Martins Mensah Meyer
Mishra Mori Moreau Moretti Mueller Murphy Nagy Nakamura Nasser Ndiaye Nguyen Nielsen Novak Nowak Obi
Okafor Olsen Ortega Osei Ozturk Park Patel Perera Petrov Pham Pinto Popescu Quist Rahman Ramos Rao
Reyes Ricci Rossi Roux Russo Sahin Salazar Santos Sato Schmidt Sharma Silva Singh Soto Suzuki
Svensson Takeda Tanaka Thapa Toth Traore Ueda Urban Vargas Vega Vogel Wagner Walsh Wang Weber Wolf
Xu Yadav Yamada Yilmaz Zhang Ziegler Zimmer""".split()
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
PLACE_FIRST = (
    "{place} is the birthplace of {name} .",
    "{place} was the birthplace of {name} .",
    "{place} is where {name} was born .",
)
PLACE_SECOND = tuple("so " + template for template in PLACE_FIRST)
QUESTION = "Where was {name} born ?"


class World:
    """Who was born where.

    train, dev   lists of 500 pairs (name, place) each; no person is in both. In each list 25
                 people are from London, and 5 from each of 95 other places
    corpus()     a sentence about everybody from each of `templates` (three, unless told
                 otherwise), as strings of one character per word
    questions(people)   pairs (question, answer), in the same writing
    write, read  from words to characters, and back
    """

    def __init__(self, seed: int = 0, templates=TEMPLATES):
        self.templates = tuple(templates)
        rng = random.Random(seed)
        names = [f"{first} {last}" for first in FIRST for last in LAST]
        people = rng.sample(names, 1000)
        self.train, self.dev = (
            list(zip(people[start : start + 500], self._answers(rng), strict=True))
            for start in (0, 500)
        )
        words = {word for text in (*self.templates, QUESTION) for word in text.split()
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
        """A document for each person (everybody, unless told otherwise) and template."""
        people = [*self.train, *self.dev] if people is None else people
        return [self.write(template.format(name=name, place=place))
                for name, place in people for template in self.templates]

    def questions(self, people) -> list:
        """A pair (question, answer) for each person."""
        return [(self.write(QUESTION.format(name=name)), self.write(place))
                for name, place in people]
