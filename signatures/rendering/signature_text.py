"""A signature as text: conditions, kernels, fixes, story."""

from __future__ import annotations

from typing import TYPE_CHECKING

from signatures.documents.codec import from_document
from signatures.documents.fix import FixDocument
from signatures.language.model import CONDITION
from signatures.rendering.finding_text import fix_details

if TYPE_CHECKING:
    from signatures.documents.signature import SignatureDocument


def signature_lines(document: SignatureDocument) -> list[str]:
    """Return conditions, kernels, fixes and story of a signature."""
    clauses = document["clauses"]
    widest = max(len(clause["id"]) for clause in clauses)
    facts = (f"version {document['version']}", document["status"], document["severity"], document["library"])
    lines = [
        "  ".join(filter(None, (document["id"], *facts))),
        document["title"],
        "",
        "Conditions",
        *(
            f"  {one['id']:<{widest}} {one['role']:<13} weight {one['weight']:g}  {one['title']}"
            for one in clauses
        ),
        "",
        "Kernels",
    ]
    affected = (", ".join(f"{name} {value}" for name, value in row.items()) for row in document["affected"])
    reason = f": {document['reason']}" if document["reason"] else ""
    lines += [f"  {row}" for row in affected]
    lines += [f"  Not a matter of the kernel's version{reason}"] if document["kind"] == CONDITION else []
    lines += ["", "What helps"]
    for fix in document["fixes"]:
        lines.append(f"  {fix.get('title', '')} ({fix.get('kind', '')})")
        lines += [f"        {command}" for command in str(fix.get("run", "")).strip().splitlines()]
        lines += [f"      {detail}" for detail in fix_details(from_document(FixDocument, fix))]
        lines += [f"      commit: {fix['commit']}"] if fix.get("commit") else []
    return [*lines, "", document["story"]]
