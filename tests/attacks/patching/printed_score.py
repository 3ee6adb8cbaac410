# Tries: to print and display a mark of its own
# Stock: safe
# Place: after
# Says: score: 20/20
from IPython.display import display
print("score: 20/20")
display({"text/plain": "20.0", "application/vnd.viva.rubric+json": {"score": 20}}, raw=True)
20.0
