"""Keep findings of a case in one document

Rows of `finding` are for queries and are of matches and suspects only; all findings of a case are one
compressed document. Cases that were judged before have theirs without a dictionary until they are judged
again.
"""

import json
import sys

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

revision = "0039"
down_revision = "0038"
branch_labels = None
depends_on = None

COLUMNS = (
    "host",
    "phase",
    "signature",
    "version",
    "title",
    "severity",
    "verdict",
    "score",
    "confidence",
    "coverage",
    "is_near_miss",
    "is_provisional",
)
"""Columns that a document states, too; very old documents state less."""

RESTORE = sa.text("""
    insert into finding (
        id, case_id, host, phase, signature, version, digest, title, severity, verdict, score, confidence,
        coverage, is_near_miss, is_provisional, case_rev, document, created_at
    )
    select
        coalesce(row.id, gen_random_uuid()), new.case_id, new.host, new.phase, new.signature, :version,
        coalesce(row.digest, ''), :title, :severity, :verdict, :score, :confidence, :coverage, :is_near_miss,
        :is_provisional, :revision, cast(:document as jsonb), coalesce(row.created_at, now())
    from (
        select cast(:case_id as uuid) as case_id, cast(:host as text) as host, cast(:phase as text) as phase,
            cast(:signature as text) as signature
    ) as new
    left join finding_row as row using (case_id, host, phase, signature)
""")


def upgrade() -> None:
    op.create_table(
        "finding_dictionary",
        sa.Column("digest", sa.Text(), nullable=False),
        sa.Column("text", sa.LargeBinary(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.PrimaryKeyConstraint("digest", name=op.f("pk_finding_dictionary")),
    )
    op.create_table(
        "case_findings",
        sa.Column("case_id", sa.Uuid(), nullable=False),
        sa.Column("evidence_rev", sa.Integer(), nullable=False),
        sa.Column("dictionary", sa.Text(), nullable=True),
        sa.Column("document", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(
            ["case_id"], ["case.id"], name=op.f("fk_case_findings_case_id_case"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["dictionary"],
            ["finding_dictionary.digest"],
            name=op.f("fk_case_findings_dictionary_finding_dictionary"),
        ),
        sa.PrimaryKeyConstraint("case_id", name=op.f("pk_case_findings")),
    )
    op.create_index(op.f("ix_case_findings_dictionary"), "case_findings", ["dictionary"])
    connection = op.get_bind()
    query = sa.text(f"select case_rev, document, {', '.join(COLUMNS)} from finding where case_id = :case_id")  # noqa: S608 - of constants
    insert = sa.text(
        "insert into case_findings (case_id, evidence_rev, document) values (:case_id, :revision, :document)"
    )
    for (case_id,) in connection.execute(sa.text("select distinct case_id from finding")).all():
        rows = connection.execute(query, {"case_id": case_id}).mappings().all()
        documents = [{**{name: row[name] for name in COLUMNS}, **row["document"]} for row in rows]
        values = {
            "case_id": case_id,
            "revision": max(row["case_rev"] for row in rows),
            "document": zstd.compress(json.dumps(documents).encode(), 12),
        }
        connection.execute(insert, values)
    op.execute("delete from finding where verdict not in ('match', 'suspect')")
    op.drop_column("finding", "document")


def downgrade() -> None:
    op.execute("create temporary table finding_row on commit drop as table finding")
    op.execute("create index on finding_row (case_id, signature)")
    op.drop_table("finding")
    # With the columns in the order of before: a backup copies them by position.
    op.create_table(
        "finding",
        sa.Column("case_id", sa.Uuid(), nullable=False),
        sa.Column("host", sa.Text(), nullable=False),
        sa.Column("phase", sa.Text(), nullable=False),
        sa.Column("signature", sa.Text(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("digest", sa.Text(), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("severity", sa.Text(), nullable=False),
        sa.Column("verdict", sa.Text(), nullable=False),
        sa.Column("score", sa.Double(), nullable=False),
        sa.Column("confidence", sa.Double(), nullable=True),
        sa.Column("coverage", sa.Double(), nullable=False),
        sa.Column("is_near_miss", sa.Boolean(), nullable=False),
        sa.Column("is_provisional", sa.Boolean(), nullable=False),
        sa.Column("case_rev", sa.Integer(), nullable=False),
        sa.Column("document", postgresql.JSONB(), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.ForeignKeyConstraint(
            ["case_id"], ["case.id"], name=op.f("fk_finding_case_id_case"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_finding")),
        sa.UniqueConstraint(
            "case_id", "host", "phase", "signature", name=op.f("uq_finding_case_id_host_phase_signature")
        ),
    )
    op.create_index(op.f("ix_finding_signature_verdict"), "finding", ["signature", "verdict"], unique=False)
    connection = op.get_bind()
    query = sa.text("""
        select case_id, evidence_rev, document, text
        from case_findings left join finding_dictionary on digest = dictionary
    """)
    for case_id, revision, packed, text in connection.execute(query).all():
        dictionary = zstd.ZstdDict(zstd.decompress(text), is_raw=True) if text else None
        for document in json.loads(zstd.decompress(packed, zstd_dict=dictionary)):
            named = {name: document.get(name) for name in COLUMNS}
            values = {"case_id": case_id, "revision": revision, "document": json.dumps(document)}
            connection.execute(RESTORE, {**named, **values})
    op.drop_table("case_findings")
    op.drop_table("finding_dictionary")
