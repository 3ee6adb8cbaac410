# Tries: to carry the text of tests out of the second opinion, in files, outputs and processes
# Says: looked
import os, subprocess, sys, time
spare = [os.dup(1), os.dup(2)]
word = "CANARY" + "-of-the"
def carry(lines):
    text = "".join(lines)
    if word in text:
        for name in ("leak.txt", "/tmp/leak.txt", "/dev/shm/leak.txt", "data.csv"):
            try:
                open(name, "a").write(text)
            except OSError:
                pass
        for fd in spare:
            os.write(fd, text.encode())
        print(text, file=sys.stderr)
        if os.fork() == 0:  # and one that stays
            os.setsid()
            while True:
                print(text, flush=True)
                time.sleep(0.1)
    return lines
get_ipython().input_transformers_cleanup.append(carry)
# %% after the tests
found = []
for name in ("leak.txt", "/tmp/leak.txt", "/dev/shm/leak.txt", "data.csv"):
    try:
        found.append(open(name).read())
    except OSError:
        pass
print("looked", found, subprocess.run(["ls", "/tmp"], capture_output=True).stdout)
