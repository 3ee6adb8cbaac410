"""Whose birthplaces wrong answers are."""


def namesake_errors(answers, people, known):
    """Of the wrong answers, the share that is the birthplace of a namesake, and what chance gives.

    answers[i] to the question about people[i]; people, known: lists of (name, place); a namesake
    is somebody else of `known` with the same first or the same family name
    returns (share, chance); chance: expected if the wrong answers were dealt out anew
    """
    if len(answers) != len(people):
        raise ValueError(f"{len(answers)} answers for {len(people)} people")
    wrong = [(name, answer) for answer, (name, place) in zip(answers, people, strict=True)
             if answer != place]
    if not wrong:
        raise ValueError("no answer is wrong")
    homes = [_homes(name, known) for name, _ in wrong]
    share = sum(answer in home for (_, answer), home in zip(wrong, homes, strict=True))
    dealt = sum(answer in home for _, answer in wrong for home in homes)
    return share / len(wrong), dealt / len(wrong) ** 2


def _homes(name, known):
    """The birthplaces of all namesakes."""
    first, family = name.split()
    return {place for other, place in known
            if other != name and (other.split()[0] == first or other.split()[1] == family)}
