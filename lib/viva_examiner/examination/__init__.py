"""One notebook examined: its cells run in a candidate, its hidden tests here, and the score comes
from the ledger kept here. Also submission logs, which are graded without running anything.
Imports gradebook, notebook, sandbox and what lies below them.
"""
