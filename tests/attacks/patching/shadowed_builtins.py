# Tries: to shadow builtins in the notebook's own namespace
# Stock: safe
# Says: shadowed 0 4 True
abs = lambda x: 0
len = lambda x: 4
float = lambda x: 4
all = any = lambda x: True
# %% after the tests
print("shadowed", abs(-3), len([]), all([0]))
