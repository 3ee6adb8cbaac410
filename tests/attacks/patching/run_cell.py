# Tries: to replace the way cells are run
# Stock: safe
shell = get_ipython()
original = type(shell).run_cell
def run_cell(self, source, *args, **kwargs):
    return original(self, "pass", *args, **kwargs)
type(shell).run_cell = run_cell
