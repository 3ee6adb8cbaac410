# Tries: to patch our own agent so that every answer is "true" and no argument ever changed
# Says: patched True
from viva_examiner.sandbox.inside import agent
state = agent.STATE["agent"]
state.do_call = lambda request, payload: {"value": True, "mutated": False, "after": None}
print("patched", state.do_call(None, b"")["value"])
