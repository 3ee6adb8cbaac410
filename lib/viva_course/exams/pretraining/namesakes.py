"""Exam of namesake_errors."""

import numpy as np

from viva.cases.pretraining.namesakes import town
from viva_course.reference import pretraining as reference
from viva_course.rubric import Exercise

errors = Exercise(
    "namesake_errors",
    expects="the share of wrong answers that are a namesake's birthplace, and the share that "
            "dealing them out anew would give on average",
)

errors.values(3, "The share of the wrong answers, and the mean over all ways to deal them out.")


@errors.item(2, "Of the wrong answers, those that are the birthplace of a namesake.")
def the_share(exam, namesake_errors):
    for people, known in ((15, 20), (30, 12), (6, 40)):
        given = town(exam.rng, people, known)
        exam.same(namesake_errors(*given)[0], reference.namesake_errors(*given)[0])


@errors.item(2, "What is expected if the wrong answers are dealt out anew to the same people.")
def the_chance(exam, namesake_errors):
    for people, known in ((15, 20), (30, 12), (6, 40)):
        answers, asked, others = town(exam.rng, people, known)
        given = answers, asked, asked[::2] + others
        exam.same(namesake_errors(*given)[1], reference.namesake_errors(*given)[1])


@errors.item(0.5, "No wrong answer, or more or fewer answers than people: ValueError.")
def refusals(exam, namesake_errors):
    answers, people, known = town(exam.rng, 9, 9)
    exam.same(namesake_errors(answers, people, known),
              reference.namesake_errors(answers, people, known))
    exam.raises(ValueError, namesake_errors, [place for _, place in people], people, known)
    exam.raises(ValueError, namesake_errors, answers[1:], people, known)
    exam.raises(ValueError, namesake_errors, answers, people[1:], known)


errors.unmodified(0.5, "The lists must stay as they were.")


def _homes(name, known, same=lambda a, b: a[0] == b[0] or a[1] == b[1], oneself=False):
    """The birthplaces of the people who share something with this name."""
    return {place for other, place in known
            if same(name.split(), other.split()) and (oneself or other != name)}


def _wrong(answers, people):
    if len(answers) != len(people):
        raise ValueError("unequal lengths")
    found = [(name, answer) for answer, (name, place) in zip(answers, people, strict=True)
             if answer != place]
    if not found:
        raise ValueError("nothing is wrong")
    return found


def _dealt(found, homes):
    return sum(answer in home for _, answer in found for home in homes) / len(found) ** 2


def _counted(homes=_homes, chance=None, divide=None):
    """namesake_errors with one thing changed."""

    def namesake_errors(answers, people, known):
        found = _wrong(answers, people)
        places = [homes(name, known) for name, _ in found]
        share = sum(a in home for (_, a), home in zip(found, places, strict=True))
        share /= len(found) if divide is None else len(people)
        return share, (chance or _dealt)(found, places)

    return namesake_errors


def _others_only(found, homes):
    n = len(found)
    hits = sum(found[j][1] in homes[i] for i in range(n) for j in range(n) if i != j)
    return hits / max(n * (n - 1), 1)


def _in_order(turn):
    return lambda found, homes: sum(
        a in home for a, home in zip(turn([a for _, a in found]), homes, strict=True)) / len(found)


errors.mistakes_of(namesake_errors={
    "family_only": ("A namesake may share the first name as well; here only family names count.",
                    _counted(lambda name, known: _homes(name, known, lambda a, b: a[1] == b[1]))),
    "first_only": ("A namesake may share the family name as well; here only first names count.",
                   _counted(lambda name, known: _homes(name, known, lambda a, b: a[0] == b[0]))),
    "both_names": ("One common name is enough: first or family name, not both.",
                   _counted(lambda name, known: _homes(name, known, lambda a, b: a == b, True))),
    "any_word": ("First names are compared with first names and family names with family names; "
                 "here any common word counts.",
                 _counted(lambda name, known: _homes(
                     name, known, lambda a, b: bool(set(a) & set(b))))),
    "oneself": ("Nobody is a namesake of themselves: leave the person's own entry out.",
                _counted(lambda name, known: _homes(name, known, oneself=True))),
    "others_only": ("Dealt out anew, an answer may come back to its own person: the mean is over "
                    "all pairs of a person and an answer.", _counted(chance=_others_only)),
    "others_or_share": ("Dealt out anew, an answer may come back to its own person: the mean is "
                        "over all pairs of a person and an answer.",
                        _counted(chance=lambda found, homes: (
                            _others_only if len(found) > 1 else _dealt)(found, homes))),
    "reversed_once": ("Turning the list round is one way to deal the answers out; the mean over "
                      "all ways is asked for.", _counted(chance=_in_order(lambda a: a[::-1]))),
    "rotated_once": ("Moving the list by one is one way to deal the answers out; the mean over "
                     "all ways is asked for.",
                     _counted(chance=_in_order(lambda a: a[1:] + a[:1]))),
    "places_dealt_once": (
        "A place that was said often is dealt out often; here every place counts once.",
        _counted(chance=lambda found, homes: float(np.mean(
            [place in home for place in {a for _, a in found} for home in homes])))),
    "per_person": ("The share is of the wrong answers: divide by their number, not by that of all "
                   "people.", _counted(divide="people")),
})


@errors.mistake("right_ones_too", "Only the wrong answers count; here the right ones are among "
                "them.")
def namesake_errors(answers, people, known):
    _wrong(answers, people)
    everything = [(name, answer) for answer, (name, _) in zip(answers, people, strict=True)]
    homes = [_homes(name, known) for name, _ in everything]
    share = sum(a in home for a, home in zip(answers, homes, strict=True)) / len(people)
    return share, _dealt(everything, homes)


@errors.mistake("uniform", "Chance is measured with the network's own wrong answers, dealt out "
                "anew; here every place is as likely.")
def namesake_errors(answers, people, known):
    share, _ = reference.namesake_errors(answers, people, known)
    places = {place for _, place in known}
    homes = [_homes(name, known) for name, _ in _wrong(answers, people)]
    return share, sum(len(home) / len(places) for home in homes) / len(homes)


@errors.mistake("known_places_dealt", "Chance is measured with the network's own wrong answers, "
                "dealt out anew; here the places of `known` are dealt out.")
def namesake_errors(answers, people, known):
    share, _ = reference.namesake_errors(answers, people, known)
    homes = [_homes(name, known) for name, _ in _wrong(answers, people)]
    return share, sum(place in home for _, place in known for home in homes) / (
        len(known) * len(homes))


@errors.mistake("right_answers_dealt", "Only the wrong answers are dealt out; here the right ones "
                "are among them.")
def namesake_errors(answers, people, known):
    share, _ = reference.namesake_errors(answers, people, known)
    homes = [_homes(name, known) for name, _ in _wrong(answers, people)]
    return share, sum(a in home for a in answers for home in homes) / len(answers) / len(homes)


@errors.mistake("without_namesakes_left_out", "Every wrong answer counts, also that about a person "
                "who has no namesake.")
def namesake_errors(answers, people, known):
    found = _wrong(answers, people)
    found = [each for each in found if _homes(each[0], known)] or found
    homes = [_homes(name, known) for name, _ in found]
    share = sum(a in home for (_, a), home in zip(found, homes, strict=True)) / len(found)
    return share, _dealt(found, homes)


@errors.mistake("all_people_dealt", "The answers are dealt to the people who were answered "
                "wrongly, not to everybody.")
def namesake_errors(answers, people, known):
    share, _ = reference.namesake_errors(answers, people, known)
    found, homes = _wrong(answers, people), [_homes(name, known) for name, _ in people]
    return share, sum(a in home for _, a in found for home in homes) / len(found) / len(people)


@errors.mistake("zero_for_nothing", "Where no answer is wrong there is no share: ValueError.")
def namesake_errors(answers, people, known):
    if [place for _, place in people] == list(answers):
        return 0.0, 0.0
    return reference.namesake_errors(answers, people, known)


@errors.mistake("zip_short", "zip ends with the shorter list: compare the lengths first.")
def namesake_errors(answers, people, known):
    n = min(len(answers), len(people))
    return reference.namesake_errors(answers[:n], people[:n], known)


@errors.mistake("swapped", "First the share, then what chance gives.")
def namesake_errors(answers, people, known):
    return reference.namesake_errors(answers, people, known)[::-1]


@errors.mistake("sorts", "The list of known people is sorted in place: it belongs to the caller.")
def namesake_errors(answers, people, known):
    found = reference.namesake_errors(answers, people, known)
    known.sort(reverse=True)
    return found


@errors.variant("a table of places by name, means of lists")
def namesake_errors(answers, people, known):
    if len(answers) != len(people) or [place for _, place in people] == list(answers):
        raise ValueError("nothing to count")
    wrong = [i for i, (_, place) in enumerate(people) if answers[i] != place]
    rows = []
    for i in wrong:
        name = people[i][0]
        first, family = name.split(" ")
        homes = [place for other, place in known if other != name
                 and (other.startswith(first + " ") or other.endswith(" " + family))]
        rows.append([answers[j] in homes for j in wrong])
    n = len(rows)
    return sum(rows[i][i] for i in range(n)) / n, sum(map(sum, rows)) / n**2
