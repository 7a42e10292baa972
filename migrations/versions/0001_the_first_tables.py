"""The first tables"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "account",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("is_owner", sa.Boolean(), nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_account")),
        sa.UniqueConstraint("name", name=op.f("uq_account_name")),
    )
    op.create_index(
        "uq_account_is_owner", "account", ["is_owner"], unique=True, postgresql_where=sa.text("is_owner")
    )
    op.create_table(
        "blob",
        sa.Column("sha256", sa.Text(), nullable=False),
        sa.Column("size_bytes", sa.BigInteger(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.PrimaryKeyConstraint("sha256", name=op.f("pk_blob")),
    )
    op.create_table(
        "case",
        sa.Column("number", sa.Integer(), sa.Identity(always=True), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("severity", sa.Text(), nullable=True),
        sa.Column("updated_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("evidence_rev", sa.Integer(), nullable=False),
        sa.Column("judged_rev", sa.Integer(), nullable=False),
        sa.Column("next_captures", postgresql.JSONB(), nullable=False),
        sa.Column("deleted_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_case")),
        sa.UniqueConstraint("number", name=op.f("uq_case_number")),
    )
    op.create_index(op.f("ix_case_created_at"), "case", ["created_at"], unique=False)
    op.create_index(op.f("ix_case_updated_at"), "case", ["updated_at"], unique=False)
    op.create_table(
        "job",
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("subject_id", sa.Uuid(), nullable=True),
        sa.Column("queue", sa.Text(), nullable=False),
        sa.Column("payload", postgresql.JSONB(), nullable=False),
        sa.Column(
            "state",
            sa.Enum("queued", "running", "done", "failed", name="jobstate", native_enum=False, length=20),
            nullable=False,
        ),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("worker", sa.Text(), nullable=False),
        sa.Column("lease_until", sa.DateTime(timezone=True), nullable=True),
        sa.Column("run_after", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("sent_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("started_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("finished_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("last_error", sa.Text(), nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_job")),
    )
    op.create_index("ix_job_state_run_after", "job", ["state", "run_after"], unique=False)
    op.create_index("ix_job_subject_id", "job", ["subject_id"], unique=False)
    op.create_index(
        "uq_job_key_open",
        "job",
        ["key"],
        unique=True,
        postgresql_where=sa.text("state in ('queued', 'running')"),
    )
    op.create_table(
        "observation",
        sa.Column("reading_digest", sa.Text(), nullable=False),
        sa.Column("clause_digest", sa.Text(), nullable=False),
        sa.Column("document", postgresql.JSONB(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.PrimaryKeyConstraint("reading_digest", "clause_digest", name=op.f("pk_observation")),
    )
    op.create_table(
        "event",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=True), nullable=False),
        sa.Column("case_id", sa.Uuid(), nullable=True),
        sa.Column(
            "at", sa.DateTime(timezone=True), server_default=sa.text("clock_timestamp()"), nullable=False
        ),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("actor", sa.Text(), nullable=False),
        sa.Column("is_system", sa.Boolean(), nullable=False),
        sa.Column("payload", postgresql.JSONB(), nullable=False),
        sa.ForeignKeyConstraint(
            ["case_id"], ["case.id"], name=op.f("fk_event_case_id_case"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_event")),
    )
    op.create_index(op.f("ix_event_case_id_id"), "event", ["case_id", "id"], unique=False)
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
    op.create_table(
        "host",
        sa.Column("case_id", sa.Uuid(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("machine_id", sa.Text(), nullable=False),
        sa.Column("boot_id", sa.Text(), nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.ForeignKeyConstraint(
            ["case_id"], ["case.id"], name=op.f("fk_host_case_id_case"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_host")),
        sa.UniqueConstraint(
            "case_id", "name", "machine_id", "boot_id", name=op.f("uq_host_case_id_name_machine_id_boot_id")
        ),
    )
    op.create_table(
        "token",
        sa.Column("account_id", sa.Uuid(), nullable=False),
        sa.Column(
            "kind",
            sa.Enum("sign_in", "session", "api", name="tokenkind", native_enum=False, length=20),
            nullable=False,
        ),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("prefix", sa.Text(), nullable=False),
        sa.Column("hash", sa.Text(), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("used_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("revoked_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id"], ["account.id"], name=op.f("fk_token_account_id_account"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_token")),
        sa.UniqueConstraint("hash", name=op.f("uq_token_hash")),
    )
    op.create_index(op.f("ix_token_account_id"), "token", ["account_id"], unique=False)
    op.create_table(
        "evidence",
        sa.Column("case_id", sa.Uuid(), nullable=False),
        sa.Column("parent_id", sa.Uuid(), nullable=True),
        sa.Column("host_id", sa.Uuid(), nullable=True),
        sa.Column("captured_path", sa.Text(), nullable=False),
        sa.Column("filename", sa.Text(), nullable=False),
        sa.Column("phase", sa.Text(), nullable=False),
        sa.Column("sha256", sa.Text(), nullable=False),
        sa.Column("size_bytes", sa.BigInteger(), nullable=False),
        sa.Column(
            "state",
            sa.Enum(
                "received",
                "reading",
                "read",
                "rejected",
                "failed",
                name="evidencestate",
                native_enum=False,
                length=20,
            ),
            nullable=False,
        ),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("line_count", sa.BigInteger(), nullable=True),
        sa.Column("progress_share", sa.Double(), nullable=True),
        sa.Column("skipped", postgresql.JSONB(), nullable=False),
        sa.Column("captured_from", sa.DateTime(timezone=True), nullable=True),
        sa.Column("captured_to", sa.DateTime(timezone=True), nullable=True),
        sa.Column("deleted_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.ForeignKeyConstraint(
            ["case_id"], ["case.id"], name=op.f("fk_evidence_case_id_case"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["host_id"], ["host.id"], name=op.f("fk_evidence_host_id_host"), ondelete="SET NULL"
        ),
        sa.ForeignKeyConstraint(
            ["parent_id"], ["evidence.id"], name=op.f("fk_evidence_parent_id_evidence"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["sha256"], ["blob.sha256"], name=op.f("fk_evidence_sha256_blob")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_evidence")),
    )
    op.create_index(op.f("ix_evidence_parent_id"), "evidence", ["parent_id"], unique=False)
    op.create_index(op.f("ix_evidence_sha256"), "evidence", ["sha256"], unique=False)
    op.create_index(
        "uq_evidence_place",
        "evidence",
        ["case_id", "parent_id", "captured_path", "filename", "sha256"],
        unique=True,
        postgresql_where=sa.text("deleted_at is null"),
        postgresql_nulls_not_distinct=True,
    )
    op.create_table(
        "section",
        sa.Column("evidence_id", sa.Uuid(), nullable=False),
        sa.Column("ordinal", sa.Integer(), nullable=False),
        sa.Column("format", sa.Text(), nullable=False),
        sa.Column("first_line", sa.BigInteger(), nullable=False),
        sa.Column("last_line", sa.BigInteger(), nullable=False),
        sa.Column("path", sa.Text(), nullable=False),
        sa.Column("command", sa.Text(), nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.ForeignKeyConstraint(
            ["evidence_id"], ["evidence.id"], name=op.f("fk_section_evidence_id_evidence"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_section")),
        sa.UniqueConstraint("evidence_id", "ordinal", name=op.f("uq_section_evidence_id_ordinal")),
    )
    op.create_table(
        "reading",
        sa.Column("section_id", sa.Uuid(), nullable=False),
        sa.Column("case_id", sa.Uuid(), nullable=False),
        sa.Column("format_version", sa.Integer(), nullable=False),
        sa.Column("stage", sa.Text(), nullable=False),
        sa.Column("digest", sa.Text(), nullable=False),
        sa.Column("store_key", sa.Text(), nullable=False),
        sa.Column("quality", postgresql.JSONB(), nullable=False),
        sa.Column("skipped", postgresql.JSONB(), nullable=False),
        sa.Column("is_current", sa.Boolean(), nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.ForeignKeyConstraint(
            ["case_id"], ["case.id"], name=op.f("fk_reading_case_id_case"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["section_id"], ["section.id"], name=op.f("fk_reading_section_id_section"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_reading")),
        sa.UniqueConstraint(
            "section_id", "format_version", name=op.f("uq_reading_section_id_format_version")
        ),
    )
    op.create_index(op.f("ix_reading_case_id"), "reading", ["case_id"], unique=False)
    op.create_index(op.f("ix_reading_digest"), "reading", ["digest"], unique=False)
    op.create_index(
        "uq_reading_current", "reading", ["section_id"], unique=True, postgresql_where=sa.text("is_current")
    )
    op.create_table(
        "fact",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=True), nullable=False),
        sa.Column("case_id", sa.Uuid(), nullable=False),
        sa.Column("reading_id", sa.Uuid(), nullable=False),
        sa.Column("ordinal", sa.Integer(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("labels", postgresql.JSONB(), nullable=False),
        sa.Column("number", sa.Double(), nullable=True),
        sa.Column("text", sa.Text(), nullable=True),
        sa.Column("truth", sa.Boolean(), nullable=True),
        sa.Column("unit", sa.Text(), nullable=False),
        sa.Column("snapshot", sa.Integer(), nullable=False),
        sa.Column("at_s", sa.Double(), nullable=True),
        sa.Column("first_line", sa.BigInteger(), nullable=False),
        sa.Column("last_line", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["case_id"], ["case.id"], name=op.f("fk_fact_case_id_case"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["reading_id"], ["reading.id"], name=op.f("fk_fact_reading_id_reading"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_fact")),
    )
    op.create_index(op.f("ix_fact_case_id_name"), "fact", ["case_id", "name"], unique=False)
    op.create_index(op.f("ix_fact_name_number"), "fact", ["name", "number"], unique=False)
    op.create_index(op.f("ix_fact_reading_id"), "fact", ["reading_id"], unique=False)
    op.create_table(
        "histogram",
        sa.Column("reading_id", sa.Uuid(), nullable=False),
        sa.Column("case_id", sa.Uuid(), nullable=False),
        sa.Column("ordinal", sa.Integer(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("unit", sa.Text(), nullable=False),
        sa.Column("probe", sa.Text(), nullable=False),
        sa.Column("lows", postgresql.JSONB(), nullable=False),
        sa.Column("highs", postgresql.JSONB(), nullable=False),
        sa.Column("counts", postgresql.JSONB(), nullable=False),
        sa.Column("bucket_lines", postgresql.JSONB(), nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.ForeignKeyConstraint(
            ["case_id"], ["case.id"], name=op.f("fk_histogram_case_id_case"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["reading_id"], ["reading.id"], name=op.f("fk_histogram_reading_id_reading"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_histogram")),
        sa.UniqueConstraint("reading_id", "ordinal", name=op.f("uq_histogram_reading_id_ordinal")),
    )
    op.create_index(op.f("ix_histogram_case_id_name"), "histogram", ["case_id", "name"], unique=False)
    op.create_table(
        "log_record",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=True), nullable=False),
        sa.Column("case_id", sa.Uuid(), nullable=False),
        sa.Column("reading_id", sa.Uuid(), nullable=False),
        sa.Column("ordinal", sa.Integer(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("message", sa.Text(), nullable=False),
        sa.Column("fields", postgresql.JSONB(), nullable=False),
        sa.Column("uptime_s", sa.Double(), nullable=True),
        sa.Column("at_s", sa.Double(), nullable=True),
        sa.Column("first_line", sa.BigInteger(), nullable=False),
        sa.Column("last_line", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["case_id"], ["case.id"], name=op.f("fk_log_record_case_id_case"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["reading_id"], ["reading.id"], name=op.f("fk_log_record_reading_id_reading"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_log_record")),
    )
    op.create_index(op.f("ix_log_record_case_id_kind"), "log_record", ["case_id", "kind"], unique=False)
    op.create_index(op.f("ix_log_record_reading_id"), "log_record", ["reading_id"], unique=False)
    op.create_table(
        "profile",
        sa.Column("reading_id", sa.Uuid(), nullable=False),
        sa.Column("case_id", sa.Uuid(), nullable=False),
        sa.Column("ordinal", sa.Integer(), nullable=False),
        sa.Column("event", sa.Text(), nullable=False),
        sa.Column("unit", sa.Text(), nullable=False),
        sa.Column("what", sa.Text(), nullable=False),
        sa.Column("samples", sa.Double(), nullable=False),
        sa.Column("weight", sa.Double(), nullable=False),
        sa.Column("nodes", sa.BigInteger(), nullable=False),
        sa.Column("is_ordered", sa.Boolean(), nullable=False),
        sa.Column("has_weights", sa.Boolean(), nullable=False),
        sa.Column("has_time", sa.Boolean(), nullable=False),
        sa.Column("has_cpu", sa.Boolean(), nullable=False),
        sa.Column("from_s", sa.Double(), nullable=True),
        sa.Column("to_s", sa.Double(), nullable=True),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.ForeignKeyConstraint(
            ["case_id"], ["case.id"], name=op.f("fk_profile_case_id_case"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["reading_id"], ["reading.id"], name=op.f("fk_profile_reading_id_reading"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_profile")),
        sa.UniqueConstraint("reading_id", "ordinal", name=op.f("uq_profile_reading_id_ordinal")),
    )
    op.create_index(op.f("ix_profile_case_id"), "profile", ["case_id"], unique=False)
    op.create_table(
        "row_set",
        sa.Column("reading_id", sa.Uuid(), nullable=False),
        sa.Column("case_id", sa.Uuid(), nullable=False),
        sa.Column("ordinal", sa.Integer(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("columns", postgresql.JSONB(), nullable=False),
        sa.Column("row_count", sa.BigInteger(), nullable=False),
        sa.Column("duration_s", sa.Double(), nullable=True),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.ForeignKeyConstraint(
            ["case_id"], ["case.id"], name=op.f("fk_row_set_case_id_case"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["reading_id"], ["reading.id"], name=op.f("fk_row_set_reading_id_reading"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_row_set")),
        sa.UniqueConstraint("reading_id", "ordinal", name=op.f("uq_row_set_reading_id_ordinal")),
    )
    op.create_index(op.f("ix_row_set_case_id_name"), "row_set", ["case_id", "name"], unique=False)


def downgrade() -> None:
    op.drop_index(op.f("ix_row_set_case_id_name"), table_name="row_set")
    op.drop_table("row_set")
    op.drop_index(op.f("ix_profile_case_id"), table_name="profile")
    op.drop_table("profile")
    op.drop_index(op.f("ix_log_record_reading_id"), table_name="log_record")
    op.drop_index(op.f("ix_log_record_case_id_kind"), table_name="log_record")
    op.drop_table("log_record")
    op.drop_index(op.f("ix_histogram_case_id_name"), table_name="histogram")
    op.drop_table("histogram")
    op.drop_index(op.f("ix_fact_reading_id"), table_name="fact")
    op.drop_index(op.f("ix_fact_name_number"), table_name="fact")
    op.drop_index(op.f("ix_fact_case_id_name"), table_name="fact")
    op.drop_table("fact")
    op.drop_index("uq_reading_current", table_name="reading", postgresql_where=sa.text("is_current"))
    op.drop_index(op.f("ix_reading_digest"), table_name="reading")
    op.drop_index(op.f("ix_reading_case_id"), table_name="reading")
    op.drop_table("reading")
    op.drop_table("section")
    op.drop_index(
        "uq_evidence_place",
        table_name="evidence",
        postgresql_where=sa.text("deleted_at is null"),
        postgresql_nulls_not_distinct=True,
    )
    op.drop_index(op.f("ix_evidence_sha256"), table_name="evidence")
    op.drop_index(op.f("ix_evidence_parent_id"), table_name="evidence")
    op.drop_table("evidence")
    op.drop_index(op.f("ix_token_account_id"), table_name="token")
    op.drop_table("token")
    op.drop_table("host")
    op.drop_index(op.f("ix_finding_signature_verdict"), table_name="finding")
    op.drop_table("finding")
    op.drop_index(op.f("ix_event_case_id_id"), table_name="event")
    op.drop_table("event")
    op.drop_table("observation")
    op.drop_index(
        "uq_job_key_open", table_name="job", postgresql_where=sa.text("state in ('queued', 'running')")
    )
    op.drop_index("ix_job_subject_id", table_name="job")
    op.drop_index("ix_job_state_run_after", table_name="job")
    op.drop_table("job")
    op.drop_index(op.f("ix_case_updated_at"), table_name="case")
    op.drop_index(op.f("ix_case_created_at"), table_name="case")
    op.drop_table("case")
    op.drop_table("blob")
    op.drop_index("uq_account_is_owner", table_name="account", postgresql_where=sa.text("is_owner"))
    op.drop_table("account")
