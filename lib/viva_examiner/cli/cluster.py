"""`viva cluster`: the keys of a cluster that grades."""

import argparse

from viva_examiner.autograde.cluster_keys import CERTIFICATE, FOLDER, KEY, make_keys
from viva_examiner.course import Course

HELP = f"""Make what protects a cluster: a certificate and its key, in {FOLDER}/ of the course.

Copy that folder to the scheduler's and the workers' machines, readable by their user only. Whoever
has the key can give orders to the cluster; nobody else can. docs/scale.md has the commands."""
EXAMPLE = "viva cluster keys"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("action", choices=("keys",), help="make certificate and key")


def run(args: argparse.Namespace, course: Course) -> int:
    folder = course.root / FOLDER
    make_keys(folder)
    options = f"--tls-ca-file {CERTIFICATE} --tls-cert {CERTIFICATE} --tls-key {KEY}"
    print(f"{folder}: {CERTIFICATE} and {KEY}\nOn each machine of the cluster, beside a copy of "
          f"them:\n  dask scheduler --protocol tls {options}\n"
          f"  dask worker tls://SCHEDULER:8786 --nthreads 1 {options}\n"
          "Then: viva autograde HW --cluster tls://SCHEDULER:8786")
    return 0
