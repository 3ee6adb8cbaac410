"""`viva doctor`: whether this machine can grade, finding by finding, each with what to do. It looks
and changes nothing. Imports sandbox, course, and the form of a finding from the kit.
"""
