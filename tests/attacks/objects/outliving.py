# Tries: to die and leave the examiner with objects of a process that is gone
# Told: exit code
import os
class Double(torch.nn.Module):
    def forward(self, x): os._exit(5)
def square(x):
    class Later:
        def __eq__(self, other): os._exit(6)
    return Later()
def row_sums(x):
    class Later:
        @property
        def shape(self): os._exit(7)
    return Later()
