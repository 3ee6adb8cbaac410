# Tries: to shadow builtins in the notebook's own namespace
# Stock: safe
abs = lambda x: 0
len = lambda x: 4
float = lambda x: 4
all = any = lambda x: True
