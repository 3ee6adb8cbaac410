# Tries: to make failed assertions harmless
# Stock: safe
# Says: quiet Quiet
import builtins
class Quiet(BaseException):
    pass
builtins.AssertionError = Quiet
AssertionError = Quiet
try:
    assert False
except Quiet as error:
    print("quiet", type(error).__name__)
except BaseException:  # Python itself looks the name up elsewhere
    print("quiet", AssertionError.__name__)
