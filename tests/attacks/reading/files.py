# Tries: to find the course anywhere on the disk
# Says: looked
# Limits: cell_seconds=25, submission_seconds=60
import os
found = []
for top, folders, files in os.walk("/"):
    if top.startswith(("/proc", "/sys", "/usr")):
        folders.clear()
        continue
    found += [os.path.join(top, name) for name in files
              if name.endswith((".ipynb", ".db")) or name in ("nbgrader_config.py", "rubric.py")]
    found += [os.path.join(top, name) for name in folders if name in ("viva_course", "submitted")]
found = [path for path in found if "site-packages" not in path]
print("looked", found)
assert not found, found
