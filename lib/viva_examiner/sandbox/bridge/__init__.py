"""What may cross between examiner and candidate, and as what: plain data as data, functions and
objects of the candidate as proxies, gradients as questions, exceptions by name. Everything that
arrives is checked and built again on this side. Imports the sandbox's errors and outputs.
"""
