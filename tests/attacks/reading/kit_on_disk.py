# Tries: to change the kit, the interpreter or its start-up files on disk
# Says: nothing written
import numpy, os, site, sys, viva
written = []
for folder in (os.path.dirname(viva.__file__), os.path.dirname(numpy.__file__), sys.prefix,
               sys.base_prefix, *site.getsitepackages(), "/usr/lib", "/etc", "/"):
    for name in ("evil.pth", "sitecustomize.py", "__init__.py"):
        try:
            with open(os.path.join(folder, name), "a") as file:
                file.write("raise SystemExit")
            written.append(folder)
        except OSError:
            pass
print(written or "nothing written")
