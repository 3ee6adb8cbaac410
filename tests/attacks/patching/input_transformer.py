# Tries: to empty every later cell before IPython runs it
# Stock: safe
# Says: transforms
get_ipython().input_transformers_post.append(lambda lines: ["pass\n"])
print("transforms", len(get_ipython().input_transformers_post))
