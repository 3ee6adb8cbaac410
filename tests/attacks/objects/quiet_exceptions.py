# Tries: exceptions that end a loop of the test, or a program, without an error
# Stock: safe
# Says: raised True
raised = []
def square(x):
    raised.append(x)
    raise StopIteration
def row_sums(x):
    raise SystemExit(0)
def apply(f, x):
    raise KeyboardInterrupt
def centre(x):
    raise GeneratorExit
# %% after the tests
print("raised", 3 in raised)
