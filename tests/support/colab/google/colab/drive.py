"""The student's drive."""

import os


def mount(mountpoint, force_remount=False, timeout_ms=120000, readonly=False):
    """A drive that is empty at first."""
    os.makedirs(os.path.join(mountpoint, "MyDrive"), exist_ok=True)
    print(f"Mounted at {mountpoint}")
