# Tries: to print later what a hidden function told it
# Says: nothing of it
# Place: after
import os
text = open("told.txt").read() if os.path.exists("told.txt") else ""
print("CANARY" + "-of" in text or "nothing of it")
