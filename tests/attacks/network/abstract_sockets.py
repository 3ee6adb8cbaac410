# Tries: abstract and netlink sockets, which need no file
# Says: 0 reached
import socket
reached = 0
with_names = [line.split()[-1] for line in open("/proc/net/unix") if "@" in line]
for name in [*with_names, "@/tmp/.X11-unix/X0", "@/org/freedesktop/systemd1/notify"]:
    try:
        socket.socket(socket.AF_UNIX).connect(chr(0) + name[1:])
        reached += 1
    except OSError:
        pass
for family in (socket.AF_NETLINK, socket.AF_PACKET):
    try:
        socket.socket(family, socket.SOCK_RAW)
        reached += 1
    except OSError:
        pass
print(reached, "reached")
