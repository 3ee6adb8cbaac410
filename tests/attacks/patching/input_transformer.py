# Tries: to empty every later cell before IPython runs it
# Stock: safe
get_ipython().input_transformers_post.append(lambda lines: ["pass\n"])
