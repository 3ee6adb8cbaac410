"""What the section about induction and the two texts states."""

import functools

import numpy as np

from viva.kits.hand_design_transformer.heads import apply_head, one_hot
from viva.kits.hand_design_transformer.texts import verses, words
from viva_course.claiming import above, below, between, cause, claim, holds, near


@claim(seeds=1)
def induction_by_hand(notebook, seed):
    first, second = notebook.design_induction(4, 8)
    X = one_hot("DABCA", 4)
    note = apply_head(X, *first, causal=True)
    guess = apply_head(np.hstack([X, note]), *second, causal=True)[-1]
    return holds(guess[:3].argmax() == 1), near(guess[1], 1, within=5e-3)


@functools.cache
def right(notebook, name):
    return notebook.right_guesses(words(name))


@claim(seeds=1)
def one_word_guesses_half(notebook, seed):
    return above(right(notebook, "rhyme")["one word"].mean(), 0.5)


@claim(title="The rhyme: two words of context nearly suffice", seeds=1)
def nine_in_ten_at_the_end(notebook, seed):
    hit = np.split(right(notebook, "rhyme")["two words"], np.cumsum(verses())[:-1] - 1)
    last = np.mean(np.concatenate(hit[-3:]))
    return between(last, 0.83, 0.93), above(right(notebook, "rhyme")["two words"].mean(), 0.75)


@claim(seeds=1)
def pairs_of_the_rhyme(notebook, seed):
    rhyme = words("rhyme")
    after = {pair: {rhyme[i + 2] for i in range(len(rhyme) - 2) if (rhyme[i], rhyme[i + 1]) == pair}
             for pair in (("killed", "the"), ("in", "the"))}
    return holds(after["killed", "the"] == {"rat"}), holds(
        {"house", "morn"} <= after["in", "the"])


@cause(control="the words that have been read before")
def new_words_look_everywhere(notebook, seed):
    opening = words("rhyme")[: sum(verses()[:3])]
    looked = notebook.induction_guesses(opening)[1]
    new = [word not in opening[:i] for i, word in enumerate(opening)]
    flat = np.array([np.ptp(row[: i + 1]) for i, row in enumerate(looked)])
    return below(flat[np.array(new)].max(), 0.01), above(flat[~np.array(new)].min(), 0.1)


@claim(title="The second layer looks at what followed before", seeds=1)
def looks_at_what_followed(notebook, seed):
    opening = words("rhyme")[: sum(verses()[:3])]
    looked = notebook.induction_guesses(opening)[1]
    shares = [looked[i, [j + 1 for j in range(i) if opening[j] == word]].sum()
              for i, word in enumerate(opening) if word in opening[:i]]
    return above(min(shares), 0.97)


@claim(title="The story: what it repeats is little", seeds=1)
def story_repeats_little(notebook, seed):
    share = {way: hit.mean() for way, hit in right(notebook, "story").items()}
    return (near(share["one word"], 0.07, within=0.01),
            near(share["one word"] / share["histogram"], 2, within=0.5),
            near(share["two words"] - share["one word"], 0, within=0.01))


@claim(seeds=1)
def story_of_951_words(notebook, seed):
    return holds(len(words("story")) == 951), below(
        max(hit.mean() for hit in right(notebook, "story").values()), 0.1)


@functools.cache
def shares(notebook, name):
    return [notebook.share_right(words(name), context) for context in range(1, 7)]


@claim(seeds=1)
def two_words_are_best_for_the_rhyme(notebook, seed):
    one, two, *more = shares(notebook, "rhyme")
    return near(two, 0.8, within=0.03), above(two - max(one, *more), 0.01), below(more[-1], 0.7)


@claim(seeds=1)
def one_word_is_best_for_the_story(notebook, seed):
    one, *more = shares(notebook, "story")
    return above(one - max(more), 0.01), below(max(more[2:]), 0.01)
