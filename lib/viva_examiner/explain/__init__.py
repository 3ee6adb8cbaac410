"""Why a student has this mark: examined again while the exam gives an account of what it asks.
Imports autograde and what lies below.
"""
