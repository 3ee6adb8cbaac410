"""The course's key pair for one platform: made here, private half never shown, mode 600."""

import base64
import json
from pathlib import Path

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa

from viva.whole import write_whole
from viva_examiner.files import digest
from viva_examiner.lms.platform_failure import LmsFailure
from viva_examiner.lms.private import private_key

BITS = 2048  # what every platform takes


def make_key(path: Path) -> None:
    """A new private key, readable by its owner only. An old one is never overwritten."""
    if path.exists():
        raise LmsFailure(f"{path} is there already: the platform knows its public half. Remove the "
                         "file by hand if you want a new key")
    key = rsa.generate_private_key(public_exponent=65537, key_size=BITS)
    text = key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8,
                             serialization.NoEncryption())
    write_whole(path, text, mode=0o600)


def public_pem(path: Path) -> str:
    """The public half as PEM, to paste (Moodle)."""
    return _public(path).public_bytes(
        serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo).decode()


def public_jwk(path: Path) -> dict[str, str]:
    """The public half as a JSON Web Key, to paste (Canvas) or to put on a web page."""
    numbers = _public(path).public_numbers()
    return {"kty": "RSA", "alg": "RS256", "use": "sig", "kid": key_id(path),
            "n": _number(numbers.n), "e": _number(numbers.e)}


def public_jwks(path: Path) -> str:
    return json.dumps({"keys": [public_jwk(path)]}, indent=1)


def key_id(path: Path) -> str:
    return digest(public_pem(path))[:16]


def _public(path: Path) -> rsa.RSAPublicKey:
    try:
        key = serialization.load_pem_private_key(private_key(path).encode(), None)
    except ValueError:
        key = None
    if not isinstance(key, rsa.RSAPrivateKey):
        raise LmsFailure(f"{path} is not an RSA key: remove it, and run `viva lms connect` again")
    return key.public_key()


def _number(value: int) -> str:
    """A positive integer as base64url, as JSON Web Keys have it."""
    data = value.to_bytes((value.bit_length() + 7) // 8, "big")
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()
