# Tries: to raise what the engine itself raises, so as to count as its failure
# Says: raised True
class EngineError(Exception):
    viva_engine_error = True
class CannotCross(TypeError):
    viva_engine_error = True
raised = []
def square(x):
    raised.append(x)
    raise EngineError("the engine failed")
def row_sums(x): raise CannotCross("cannot cross")
class Double(torch.nn.Module):
    def forward(self, x): raise EngineError("again")
def apply(f, x): raise CannotCross("cannot cross")
# %% after the tests
print("raised", len(raised) > 0)
