"""Drop what no query of findings reads

The document of a case states it, except for the digest of the signature's file and the times of the row.
"""

import json
import sys

import sqlalchemy as sa
from alembic import op

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

revision = "0041"
down_revision = "0040"
branch_labels = None
depends_on = None

DOCUMENTED = ("version", "severity", "confidence", "coverage", "is_near_miss", "is_provisional")
TIMES = ("updated_at", "created_at")

RESTORE = sa.text("""
    insert into finding (
        id, case_id, host, phase, signature, version, digest, title, severity, verdict, score, confidence,
        coverage, is_near_miss, is_provisional, case_rev
    )
    select id, case_id, host, phase, signature, :version, '', title, :severity, verdict, score, :confidence,
        :coverage, :is_near_miss, :is_provisional, case_rev
    from finding_kept
    where case_id = :case_id and host = :host and phase = :phase and signature = :signature
""")


def upgrade() -> None:
    for column in (*DOCUMENTED, "digest", *TIMES):
        op.drop_column("finding", column)


def downgrade() -> None:
    op.execute("create temporary table finding_kept on commit drop as table finding")
    op.execute("create index on finding_kept (case_id, signature)")
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
        select case_id, document, text
        from case_findings left join finding_dictionary on digest = dictionary
        where case_id in (select case_id from finding_kept)
    """)
    for case_id, packed, text in connection.execute(query).all():
        dictionary = zstd.ZstdDict(zstd.decompress(text), is_raw=True) if text else None
        for document in json.loads(zstd.decompress(packed, zstd_dict=dictionary)):
            if document["verdict"] not in ("match", "suspect"):
                continue
            place = {name: document[name] for name in ("host", "phase", "signature")}
            # Documents of the first releases state no version, and of other fields only what is not empty.
            values = {
                "version": document.get("version") or 0,
                "severity": document["severity"],
                "confidence": document.get("confidence"),
                "coverage": document.get("coverage") or 0.0,
                "is_near_miss": document.get("is_near_miss") or False,
                "is_provisional": document.get("is_provisional") or False,
            }
            connection.execute(RESTORE, {"case_id": case_id, **place, **values})
