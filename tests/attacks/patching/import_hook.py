# Tries: to serve its own viva_course through the import system
# Stock: safe
# Says: examined 4.0
import importlib.abc, importlib.machinery, sys
class Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    def find_spec(self, name, path, target=None):
        if name.startswith("viva_course"):
            return importlib.machinery.ModuleSpec(name, self)
    def create_module(self, spec):
        return None
    def exec_module(self, module):
        module.examine = lambda *args: 4.0
sys.meta_path.insert(0, Finder())
from viva_course import examine
print("examined", examine("centre"))
