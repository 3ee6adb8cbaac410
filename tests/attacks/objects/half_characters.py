# Tries: to end the run for everybody with text that nobody can write down
# Says: half of a character
HALF = chr(0xd800)

def square(x):
    return {HALF: HALF, "list": [HALF, (HALF,)], 1: {HALF}}

def row_sums(x):
    raise ValueError(HALF)

class Double(torch.nn.Module):
    def forward(self, x):
        raise KeyError(HALF)

Double.__module__ = HALF

def apply(f, x):
    return f(HALF)

def centre(x):
    raise ValueError("half of " + HALF)

def spread(x):
    return np.array([HALF, "b"])

import json, sys, viva.log
from IPython.display import HTML, Markdown
viva.log.log_text = lambda *args: json.dumps({HALF: HALF}) + HALF
viva.log.LOG_NAME = HALF
print(HALF, "half of a character")
print(HALF, file=sys.stderr)
display(HTML(HALF), Markdown(HALF), HALF)
display({"text/plain": HALF, HALF: HALF}, metadata={"image/png": {"alt": HALF}}, raw=True)
raise ValueError(HALF)
