# SPDX-License-Identifier: MIT
"""Prints the list of parts of a release (an SBOM) in SPDX 2.3.

python sbom.py VERSION URL HOMEPAGE SECONDS FOLDER

FOLDER has the files of the release. SECONDS is the time of the commit since 1970, so that the same commit and files
give the same list.
"""

import datetime
import gzip
import hashlib
import io
import json
import re
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

# What libpto can be built with: name, licence, home page, the relationship to libpto, and its use.
DEPENDENCIES = [
    ("SLEEF", "BSL-1.0", "https://sleef.org", "OPTIONAL_DEPENDENCY_OF", "pto_vexp"),
    ("xxHash", "BSD-2-Clause", "https://xxhash.com", "OPTIONAL_DEPENDENCY_OF", "digests of the command, compiled in"),
    ("jansson", "MIT", "https://www.digip.org/jansson", "OPTIONAL_DEPENDENCY_OF", "safetensors in the command"),
    ("NumPy", "BSD-3-Clause", "https://numpy.org", "RUNTIME_DEPENDENCY_OF", "the Python package"),
]


def identifier(name: str) -> str:
    """Returns the SPDX identifier for a name."""
    return "SPDXRef-" + re.sub(r"[^A-Za-z0-9.-]", "-", name)


def package(name: str, licence: str, **more: object) -> dict:
    """Returns an SPDX package whose files are not listed."""
    known = {"downloadLocation": "NOASSERTION", "copyrightText": "NOASSERTION"}
    return {
        "name": name,
        "SPDXID": identifier(name),
        "filesAnalyzed": False,
        "licenseConcluded": licence,
        "licenseDeclared": licence,
        **known,
        **more,
    }


def released(path: Path, name: str, version: str, url: str) -> dict:
    """Returns the SPDX package of a file of the release, whose name in the folder is `name`."""
    source = name == f"libpto-{version}.tar.gz"
    licences = ["MIT"]
    if source:
        licences.append("Apache-2.0")
    licences += [licence for dependency, licence, *_ in DEPENDENCIES if dependency in contents(path)]
    more = {"comment": "Apache-2.0 is the licence of examples/data/*.npy"} if source else {}
    binary = path.suffix in (".deb", ".whl") or re.match(rf"libpto-{version}-(?!recipes)", name)
    return package(
        name,
        " AND ".join(licences),
        versionInfo=version,
        packageFileName=name,
        copyrightText="Copyright (c) The libpto authors",
        checksums=[{"algorithm": "SHA256", "checksumValue": hashlib.sha256(path.read_bytes()).hexdigest()}],
        primaryPackagePurpose="INSTALL" if binary else "SOURCE",
        **more | {"downloadLocation": url if source else f"{url.rsplit('/', 1)[0]}/{name}"},
    )


def contents(path: Path) -> list[str]:
    """Returns the names of the dependencies whose code a file of the release contains."""
    if path.suffix == ".whl":
        with zipfile.ZipFile(path) as files:
            return ["SLEEF"] if any(re.search(r"\.libs/libsleef.*\.so", name) for name in files.namelist()) else []
    if path.suffix == ".deb":
        text = subprocess.run(["dpkg-deb", "--fsys-tarfile", path], check=True, capture_output=True).stdout
    else:
        text = gzip.decompress(path.read_bytes())
    with tarfile.open(fileobj=io.BytesIO(text)) as files:
        for file in files:
            # The licence is in the copyright file of a Debian package, or a file of its own.
            if file.name.endswith("/LICENSE.xxHash"):
                return ["xxHash"]
            if file.name.endswith("/copyright") and b"xxHash" in files.extractfile(file).read():
                return ["xxHash"]
    return []


def main() -> None:
    if len(sys.argv) != 6:
        sys.exit(__doc__)
    version, url, homepage, seconds, folder = [*sys.argv[1:5], Path(sys.argv[5])]
    source = identifier(f"libpto-{version}.tar.gz")
    files = sorted(path for path in folder.rglob("*") if re.search(r"\.(tar\.gz|whl|deb)$", path.name))
    packages = [released(path, str(path.relative_to(folder)), version, url) for path in files]
    relationships = [("SPDXRef-DOCUMENT", "DESCRIBES", one["SPDXID"]) for one in packages]
    relationships += [(one["SPDXID"], "GENERATED_FROM", source) for one in packages if one["SPDXID"] != source]
    for name, licence, home, relation, use in DEPENDENCIES:
        packages.append(package(name, licence, homepage=home, comment=f"for {use}"))
        relationships.append((identifier(name), relation, source))
    for path in files:
        name = identifier(str(path.relative_to(folder)))
        relationships += [(name, "CONTAINS", identifier(dependency)) for dependency in contents(path)]
    digest = hashlib.sha256(json.dumps(packages).encode()).hexdigest()
    created = datetime.datetime.fromtimestamp(int(seconds), datetime.timezone.utc)
    document = {
        "spdxVersion": "SPDX-2.3",
        "dataLicense": "CC0-1.0",
        "SPDXID": "SPDXRef-DOCUMENT",
        "name": f"libpto-{version}",
        "documentNamespace": f"{homepage}/spdx/libpto-{version}-{digest}",
        "creationInfo": {
            "created": created.strftime("%Y-%m-%dT%H:%M:%SZ"),
            "creators": ["Organization: The libpto authors", "Tool: libpto-sbom.py"],
        },
        "packages": packages,
        "relationships": [
            {"spdxElementId": one, "relationshipType": relation, "relatedSpdxElement": other}
            for one, relation, other in relationships
        ],
    }
    print(json.dumps(document, indent=2))


if __name__ == "__main__":
    main()
