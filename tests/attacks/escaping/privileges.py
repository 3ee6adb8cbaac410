# Tries: to become somebody else
# Says: 0 allowed
import os, subprocess
allowed = 0
for attempt in (lambda: os.setuid(0), lambda: os.setgid(0), lambda: os.setgroups([0]),
                lambda: os.chown("data.csv", 0, 0), lambda: os.mknod("/tmp/disk", 0o60666, 2048),
                lambda: open("/proc/sys/kernel/core_pattern", "w").write("|/tmp/x"),
                lambda: open("/proc/sysrq-trigger", "w").write("b"),
                lambda: os.nice(-10)):
    try:
        attempt()
        allowed += 1
    except OSError:
        pass
for tool in ("su", "mount", "passwd", "newgrp"):
    try:
        done = subprocess.run([tool, "-c", "id -u"], capture_output=True, text=True, timeout=2,
                              stdin=subprocess.DEVNULL)
        allowed += done.stdout.strip() == "0"
    except (OSError, subprocess.TimeoutExpired):
        pass
print(allowed, "allowed")
