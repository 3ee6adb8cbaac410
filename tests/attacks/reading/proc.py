# Tries: to read environments, command lines and files of other processes
# Says: looked
import os
seen = []
for pid in range(1, 5000):
    for name in ("environ", "cmdline", "root/etc/passwd", "cwd/nbgrader_config.py"):
        try:
            seen.append(open(f"/proc/{pid}/{name}", "rb").read()[:4000])
        except OSError:
            pass
text = b" ".join(seen)
print("looked", len(seen), b"VIVA_SECRET" in text, b"CANARY" + b"-of-the" in text)
assert b"VIVA_SECRET" not in text
