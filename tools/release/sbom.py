# SPDX-License-Identifier: MIT
"""Prints the list of parts of a release (an SBOM) in SPDX 2.3.

python sbom.py VERSION URL HOMEPAGE SECONDS FOLDER

FOLDER has the files of the release. SECONDS is the time of the commit since 1970, so that the same commit and files
give the same list.
"""

import datetime
import hashlib
import json
import re
import sys
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


def released(path: Path, version: str, url: str) -> dict:
    """Returns the SPDX package of a file of the release."""
    source = path.name == f"libpto-{version}.tar.gz"
    licence = "MIT AND Apache-2.0" if source else "MIT"
    if path.suffix == ".whl" and bundled(path):
        licence = "MIT AND BSL-1.0"
    more = {"comment": "Apache-2.0 is the licence of examples/data/*.npy"} if source else {}
    return package(
        path.name,
        licence,
        versionInfo=version,
        packageFileName=path.name,
        copyrightText="Copyright (c) The libpto authors",
        checksums=[{"algorithm": "SHA256", "checksumValue": hashlib.sha256(path.read_bytes()).hexdigest()}],
        primaryPackagePurpose="SOURCE" if path.suffix == ".gz" else "INSTALL",
        **more | {"downloadLocation": url if source else f"{url.rsplit('/', 1)[0]}/{path.name}"},
    )


def bundled(wheel: Path) -> list[str]:
    """Returns the names of the shared libraries that a wheel has besides libpto."""
    with zipfile.ZipFile(wheel) as files:
        return [name for name in files.namelist() if re.search(r"\.libs/libsleef.*\.so", name)]


def main() -> None:
    if len(sys.argv) != 6:
        sys.exit(__doc__)
    version, url, homepage, seconds, folder = [*sys.argv[1:5], Path(sys.argv[5])]
    source = identifier(f"libpto-{version}.tar.gz")
    files = sorted(path for path in folder.iterdir() if re.search(r"\.(tar\.gz|whl|deb)$", path.name))
    packages = [released(path, version, url) for path in files]
    relationships = [("SPDXRef-DOCUMENT", "DESCRIBES", one["SPDXID"]) for one in packages]
    relationships += [(one["SPDXID"], "GENERATED_FROM", source) for one in packages if one["SPDXID"] != source]
    for name, licence, home, relation, use in DEPENDENCIES:
        packages.append(package(name, licence, homepage=home, comment=f"for {use}"))
        relationships.append((identifier(name), relation, source))
    for path in files:
        if path.suffix == ".whl" and bundled(path):
            relationships.append((identifier(path.name), "CONTAINS", identifier("SLEEF")))
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
