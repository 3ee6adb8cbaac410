# Tries: to read or write what others handed in
# Says: alone
import os, sys
kit = [path.split("/")[2] for path in [sys.prefix, *sys.path] if path.startswith("/tmp/")]
names = [n for n in os.listdir("..") if n not in ("submission", "matplotlib", *kit)]
names += [n for n in os.listdir(".") if n != "data.csv" and n != "submission_log.json"]
print("alone" if not names else names)
