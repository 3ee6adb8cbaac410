# Tries: to leave or nest its namespaces, mount and change root
# Says: 0 allowed
import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
allowed = 0
allowed += libc.unshare(0x10000000) == 0
allowed += libc.unshare(0x00020000) == 0
allowed += libc.mount(b"tmpfs", b"/tmp", b"tmpfs", 0, None) == 0
allowed += libc.umount2(b"/proc", 2) == 0
allowed += libc.chroot(b"/tmp") == 0
for name in os.listdir("/proc/1/ns"):
    allowed += libc.setns(os.open(f"/proc/1/ns/{name}", os.O_RDONLY), 0) == 0
print(allowed, "allowed")
