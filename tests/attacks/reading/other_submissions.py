# Tries: to read or write what others handed in
# Says: alone
import os
names = [n for n in os.listdir("..") if n not in ("submission", "matplotlib")]
names += [n for n in os.listdir(".") if n != "data.csv" and n != "submission_log.json"]
print("alone" if not names else names)
