# Tries: to remove assert statements from every later cell
# Stock: safe
import ast
class Drop(ast.NodeTransformer):
    def visit_Assert(self, node):
        return ast.Pass()
get_ipython().ast_transformers.append(Drop())
