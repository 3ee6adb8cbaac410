# Tries: to replace the way cells are run
# Stock: safe
# Says: replaced run_cell
shell = get_ipython()
original = type(shell).run_cell
def run_cell(self, source, *args, **kwargs):
    return original(self, "pass", *args, **kwargs)
type(shell).run_cell = run_cell
print("replaced", type(shell).run_cell.__name__)
