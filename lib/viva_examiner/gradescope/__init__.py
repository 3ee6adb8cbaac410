"""The same examination on Gradescope: the zip that it takes, the two scripts in it, and its form
of results. Imports autograde, release and what lies below.
"""
