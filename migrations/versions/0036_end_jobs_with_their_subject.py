"""End jobs with their subject

Jobs of what is deleted are cancelled, and queued again when it is restored.
"""

import sqlalchemy as sa
from alembic import op

revision = "0036"
down_revision = "0035"
branch_labels = None
depends_on = None

OF_A_CASE = ("upload", "handoff", "signature_draft")

SUBJECTS = """
create view job_subject (id, case_id, is_deleted) as
select id, id, deleted_at is not null from "case"
union all
select evidence.id, case_id, evidence.deleted_at is not null or "case".deleted_at is not null
from evidence join "case" on "case".id = case_id
union all
select upload.id, case_id, deleted_at is not null from upload join "case" on "case".id = case_id
union all
select handoff.id, case_id, deleted_at is not null from handoff join "case" on "case".id = case_id
union all
select draft.id, case_id, deleted_at is not null from signature_draft draft join "case" on "case".id = case_id
"""

CANCEL = """
create function cancel_jobs_of_deleted() returns trigger language plpgsql as $$
begin
    -- A row that is locked belongs to a worker that is about to begin or end the job: it looks for itself.
    update job
    set state = 'cancelled', resumes = true, generation = null, lease_until = null, finished_at = now()
    where id in (
        select id from job
        where state in ('queued', 'running')
            and subject_id in (select old.id union all select id from job_subject where case_id = old.id)
        for update skip locked
    );
    return null;
end
$$
"""

RESUME = """
create function resume_jobs_of_restored() returns trigger language plpgsql as $$
begin
    update job
    set state = 'queued', resumes = false, run_after = now(), sent_at = null, finished_at = null
    where id in (
        select distinct on (key) id from job as parked
        where state = 'cancelled' and resumes and not exists (
                select from job where key = parked.key and state in ('queued', 'running')
            ) and subject_id in (
                select id from job_subject where not is_deleted and (id = new.id or case_id = new.id)
            )
        order by key, id desc
    );
    return null;
end
$$
"""


def upgrade() -> None:
    op.add_column("job", sa.Column("resumes", sa.Boolean(), server_default=sa.false(), nullable=False))
    # The subject of these jobs is what they delete.
    op.execute(
        "update job set payload = jsonb_build_object('evidence_id', subject_id), subject_id = null"
        " where kind = 'evidence.forget_preview' and subject_id is not null"
    )
    op.execute(SUBJECTS)
    op.execute(CANCEL)
    op.execute(RESUME)
    for table in ("case", "evidence", *OF_A_CASE):
        op.execute(
            f'create trigger cancel_jobs_of_deleted after delete on "{table}"'
            " for each row execute function cancel_jobs_of_deleted()"
        )
    for table in ("case", "evidence"):
        op.execute(
            f'create trigger cancel_jobs_of_hidden after update of deleted_at on "{table}" for each row'
            " when (old.deleted_at is null and new.deleted_at is not null)"
            " execute function cancel_jobs_of_deleted()"
        )
        op.execute(
            f'create trigger resume_jobs_of_restored after update of deleted_at on "{table}" for each row'
            " when (old.deleted_at is not null and new.deleted_at is null)"
            " execute function resume_jobs_of_restored()"
        )


def downgrade() -> None:
    for table in ("case", "evidence"):
        op.execute(f'drop trigger resume_jobs_of_restored on "{table}"')
        op.execute(f'drop trigger cancel_jobs_of_hidden on "{table}"')
    for table in ("case", "evidence", *OF_A_CASE):
        op.execute(f'drop trigger cancel_jobs_of_deleted on "{table}"')
    op.execute("drop function resume_jobs_of_restored()")
    op.execute("drop function cancel_jobs_of_deleted()")
    op.execute("drop view job_subject")
    op.execute("delete from job where state = 'cancelled'")
    op.drop_column("job", "resumes")
