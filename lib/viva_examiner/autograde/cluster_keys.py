"""Who may speak to a cluster: one certificate for its scheduler, its workers and the coordinator.

Whoever reaches a Dask scheduler runs code with its workers' rights. So all of them show the same
self-signed certificate and prove that they hold its key (TLS both ways), unless everything happens
on this machine's loopback.
"""

import datetime
import ipaddress
import os
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from viva.whole import write_whole
from viva_examiner.failure import Failure

if TYPE_CHECKING:
    from dask.distributed import Security

FOLDER = ".viva-cluster"  # of the course; never in the repository
CERTIFICATE, KEY = "cluster.pem", "cluster.key"
YEARS = 2


class NotProtected(Failure):
    """The cluster would take orders from anybody."""


def make_keys(folder: Path) -> None:
    """A new certificate and its key, for their owner's eyes only. Old ones are never replaced."""
    import distributed  # noqa: F401  what the keys are for, with the extra that brings both
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    if (folder / KEY).exists():
        raise Failure(f"{folder / KEY} is there already, and the cluster's machines know it. "
                      "Remove the folder by hand if you want new keys")
    folder.mkdir(parents=True, exist_ok=True)
    os.chmod(folder, 0o700)
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "viva cluster")])
    now = datetime.datetime.now(datetime.UTC)
    made = (x509.CertificateBuilder().subject_name(name).issuer_name(name)
            .public_key(key.public_key()).serial_number(x509.random_serial_number())
            .not_valid_before(now - datetime.timedelta(days=1))  # clocks differ
            .not_valid_after(now + datetime.timedelta(days=365 * YEARS))
            .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
            .sign(key, hashes.SHA256()))
    private = key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8,
                                serialization.NoEncryption())
    write_whole(folder / KEY, private, mode=0o600)
    write_whole(folder / CERTIFICATE, made.public_bytes(serialization.Encoding.PEM), mode=0o600)


def security(address: str, folder: Path) -> "Security | None":
    """How to speak to this scheduler; None on loopback. Raises NotProtected with what to do."""
    parts = urlsplit(address if "://" in address else f"tcp://{address}")
    if parts.scheme != "tls":
        if _is_loopback(parts.hostname or ""):
            return None
        raise NotProtected(f"whoever reaches {address} could give grades: on another machine a "
                           "scheduler must speak TLS. Make keys with viva cluster keys, start "
                           "scheduler and workers with them (docs/scale.md), and name it "
                           f"tls://{parts.netloc}")
    if not (folder / KEY).is_file():
        raise NotProtected(f"no keys in {folder}: viva cluster keys makes them; the cluster's "
                           "machines need the same ones (docs/scale.md)")
    from dask.distributed import Security

    certificate, key = str(folder / CERTIFICATE), str(folder / KEY)
    return Security(tls_ca_file=certificate, tls_client_cert=certificate, tls_client_key=key,
                    require_encryption=True)


def _is_loopback(host: str) -> bool:
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:  # a name that says nothing about where it is
        return False
