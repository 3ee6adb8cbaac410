# Tries: the parts of the kernel where escapes have been found
# Says: 0 open
import ctypes, os, platform
libc = ctypes.CDLL(None, use_errno=True)
x86 = platform.machine() == "x86_64"
calls = {"bpf": (321, 280), "keyctl": (250, 219), "userfaultfd": (323, 282), "perf": (298, 241),
         "io_uring": (425, 425), "by_handle": (304, 265), "fsopen": (430, 430),
         "module": (313, 273), "kexec": (246, 104), "process_vm_readv": (310, 270)}
found = [name for name, numbers in calls.items()
         if libc.syscall(numbers[0 if x86 else 1], 0, 0, 0, 0, 0) != -1 or ctypes.get_errno() != 1]
print(len(found), "open", found)
