# Tries: to hook IPython's events, exceptions and traces
# Stock: safe
# Says: The cell failed without saying why
import sys
shell = get_ipython()
shell.events.register("pre_run_cell", lambda info: setattr(info, "raw_cell", "4.0"))
shell.set_custom_exc((BaseException,), lambda *args, **kwargs: None)
sys.excepthook = lambda *args: None
# %% after the tests
1 / 0
