"""The crates inside the Rust core as CycloneDX: `python -m tools.supply_chain.crates > rust.cdx.json`.

Cargo says which crates it links and under which licence, its lock file their checksums. What only builds or
tests the core is left out, like the other lists leave it out.

Source: https://cyclonedx.org/docs/1.5/json/ and https://doc.rust-lang.org/cargo/commands/cargo-metadata.html
"""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

CORE = Path("ingest/native")
LINKED = None
"""How cargo writes the kind of a dependency that is neither of tests nor of the build."""


def linked(metadata: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the packages that the root of `metadata` links, itself excluded, by name and version."""
    nodes = {node["id"]: node for node in metadata["resolve"]["nodes"]}
    root = metadata["resolve"]["root"]
    reached, waiting = {root}, [root]
    while waiting:
        for needed in nodes[waiting.pop()]["deps"]:
            is_linked = any(kind["kind"] is LINKED for kind in needed["dep_kinds"])
            if is_linked and needed["pkg"] not in reached:
                reached.add(needed["pkg"])
                waiting.append(needed["pkg"])
    packages = [package for package in metadata["packages"] if package["id"] in reached - {root}]
    return sorted(packages, key=lambda package: (package["name"], package["version"]))


def document(metadata: dict[str, Any], lock: dict[str, Any]) -> dict[str, Any]:
    """Return the list of crates as a CycloneDX document."""
    checksums = {(one["name"], one["version"]): one.get("checksum") for one in lock["package"]}
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "components": [
            _component(package, checksums[package["name"], package["version"]])
            for package in linked(metadata)
        ],
    }


def _component(package: dict[str, Any], checksum: str | None) -> dict[str, Any]:
    purl = f"pkg:cargo/{package['name']}@{package['version']}"
    licence = (package["license"] or "").replace("/", " OR ")
    return {
        "type": "library",
        "bom-ref": purl,
        "name": package["name"],
        "version": package["version"],
        "purl": purl,
        **({"licenses": [{"expression": licence}]} if licence else {}),
        **({"hashes": [{"alg": "SHA-256", "content": checksum}]} if checksum else {}),
    }


def main() -> None:
    """Write the document to standard output."""
    command = ["cargo", "metadata", "--locked", "--format-version", "1", "--features", "python"]
    output = subprocess.run(
        [*command, "--manifest-path", CORE / "Cargo.toml"], capture_output=True, check=True
    ).stdout
    lock = tomllib.loads((CORE / "Cargo.lock").read_text())
    sys.stdout.write(json.dumps(document(json.loads(output), lock), indent=2) + "\n")


if __name__ == "__main__":
    main()
