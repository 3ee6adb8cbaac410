"""A class graded: which submissions must run again (`mark_keys`), the pool of workers or the
cluster they run on, the one writer of the gradebook, and what a terminal shows meanwhile. Imports
examination and what lies below; release, audit and report are its neighbours.
"""
