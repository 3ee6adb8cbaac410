"""Where people were born who did something for the sciences: facts, for examples by hand."""

BORN = (
    ("Ada Lovelace", "London"), ("Alan Turing", "London"), ("Albert Einstein", "Ulm"),
    ("Carl Friedrich Gauss", "Brunswick"), ("Charles Darwin", "Shrewsbury"),
    ("Emmy Noether", "Erlangen"), ("Galileo Galilei", "Pisa"), ("Grace Hopper", "New York City"),
    ("Leonhard Euler", "Basel"), ("Marie Curie", "Warsaw"), ("Niels Bohr", "Copenhagen"),
    ("Nikola Tesla", "Smiljan"), ("Rosalind Franklin", "London"),
    ("Sofia Kovalevskaya", "Moscow"), ("Srinivasa Ramanujan", "Erode"),
)
