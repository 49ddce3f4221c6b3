"""Certificates for a test: an authority of its own, and what it has signed. Made by openssl."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING, NamedTuple

from support.needs import need

if TYPE_CHECKING:
    from pathlib import Path

DAYS = "7"


class Signed(NamedTuple):
    certificate: str
    key: str


class Authority:
    def __init__(self, folder: Path, name: str = "authority") -> None:
        need("openssl")
        folder.mkdir(mode=0o700, exist_ok=True)
        self._folder = folder
        self.certificate, self._key = str(folder / f"{name}.crt"), str(folder / f"{name}.key")
        extensions = ["basicConstraints=critical,CA:TRUE", "keyUsage=critical,keyCertSign,cRLSign"]
        added = [word for extension in extensions for word in ("-addext", extension)]
        _openssl(
            "req", "-x509", *_new(self._key), "-out", self.certificate, "-subj", f"/CN={name}", "-days", DAYS, *added
        )

    def sign(self, name: str) -> Signed:
        """For a server of this name, or for a client."""
        made = Signed(str(self._folder / f"{name}.crt"), str(self._folder / f"{name}.key"))
        request, extensions = self._folder / f"{name}.csr", self._folder / f"{name}.ext"
        extensions.write_text(f"subjectAltName=DNS:{name}\n")
        _openssl("req", *_new(made.key), "-out", str(request), "-subj", f"/CN={name}")
        _openssl(
            "x509", "-req", "-in", str(request), "-CA", self.certificate, "-CAkey", self._key, "-CAcreateserial",
            "-out", made.certificate, "-days", DAYS, "-extfile", str(extensions),
        )  # fmt: skip
        return made


def _new(key: str) -> list[str]:
    return ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout", key]


def _openssl(*words: str) -> None:
    subprocess.run(["openssl", *words], check=True, capture_output=True)
