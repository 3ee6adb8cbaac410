"""Cases of namesake_errors."""

from viva.case import case, outcome
from viva.kits.pretraining.world import FIRST, LAST, PLACES


def town(rng, people, known, names=(7, 9), places=8):
    """(answers, people, known): people of a small town, some of them known, and random answers."""
    pairs = [f"{FIRST[i]} {LAST[j]}" for i in range(names[0]) for j in range(names[1])]
    order = rng.permutation(len(pairs))
    lists = [[(pairs[i], PLACES[int(rng.integers(places))]) for i in order[a:b]]
             for a, b in ((0, people), (people, people + known))]
    return [PLACES[int(i)] for i in rng.integers(0, places, people)], *lists


BY_HAND = [("Ada Berg", "Rome"), ("Bo Kim", "Ulm"), ("Eva Roux", "Oslo"), ("Finn Cruz", "Lima")]
OTHERS = [("Ada Holm", "Ulm"), ("Hugo Kim", "Pisa"), ("Eva Sato", "Oslo")]


@case("namesake_errors")
def by_hand(rng, namesake_errors):
    """the example of the text: 2/3 and 1/3"""
    return namesake_errors(["Ulm", "Pisa", "Oslo", "Pisa"], BY_HAND, OTHERS)


@case("namesake_errors")
def a_town(rng, namesake_errors):
    """12 people, 25 others, eight places, random answers"""
    return namesake_errors(*town(rng, 12, 25))


@case("namesake_errors")
def nobody_is_a_namesake(rng, namesake_errors):
    """nobody in `known` shares a name: (0, 0)"""
    return namesake_errors(["Ulm", "Pisa"], BY_HAND[2:], [("Ada Holm", "Ulm"), ("Bo Kim", "Pisa")])


@case("namesake_errors")
def not_oneself(rng, namesake_errors):
    """the people asked are among the known ones: nobody is a namesake of themselves"""
    people = BY_HAND[:2]
    return namesake_errors(["Ulm", "Rome"], people, people + OTHERS[1:])


@case("namesake_errors")
def first_is_not_family(rng, namesake_errors):
    """Kim Bose and Bo Kim: a first name is not a family name"""
    return namesake_errors(["Ulm", "Bern"], [("Kim Bose", "Rome"), ("Lea Roux", "Oslo")],
                           [("Bo Kim", "Ulm"), ("Ida Roux", "Bern")])


@case("namesake_errors")
def one_wrong_answer(rng, namesake_errors):
    """a single wrong answer can only be dealt back to the same person"""
    return namesake_errors(["Ulm", "Ulm"], BY_HAND[:2], OTHERS)


@case("namesake_errors")
def refused(rng, namesake_errors):
    """no wrong answer, and three answers for four people: ValueError"""
    right = [place for _, place in BY_HAND]
    return [outcome(namesake_errors, right, BY_HAND, OTHERS),
            outcome(namesake_errors, ["Ulm"] * 3, BY_HAND, OTHERS)]
