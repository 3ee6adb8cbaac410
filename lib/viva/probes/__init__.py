"""Probes of the homeworks, a module each: a few lines that use an exercise's function or class.

`viva.voce.probes` says how they are written. They are public, like the cases, and no mark rests on
them: a new one examines nobody again.
"""
