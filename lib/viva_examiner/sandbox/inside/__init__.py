"""The one folder that is mounted in the cage: the fork server, the cage and the agent.

Runs on the candidate's side of the trust boundary; nothing here knows an answer. It imports
nothing of the examiner outside itself and of the kit only the codec and `viva.routines`: what it
imports, a student can read.
"""
