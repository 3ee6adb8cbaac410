# Tries: to remove assert statements from every later cell
# Stock: safe
# Says: nothing asserted
import ast
class Drop(ast.NodeTransformer):
    def visit_Assert(self, node):
        return ast.Pass()
get_ipython().ast_transformers.append(Drop())
# %% after the tests
assert False
print("nothing asserted")
