"""Notify of ended jobs

Workers look at once whether their job is still wanted, instead of every second. The notification has no
payload, so that a transaction that deletes much sends one.
"""

from alembic import op

revision = "0038"
down_revision = "0037"
branch_labels = None
depends_on = None

OPEN = """
        select id from job
        where state in ('queued', 'running')
            and subject_id in (select old.id union all select id from job_subject where case_id = old.id)
"""

NOTIFY = f"""
    if exists ({OPEN}) then
        perform pg_notify('casebook_jobs_ended', '');
    end if;
"""

CANCEL = """
create or replace function cancel_jobs_of_deleted() returns trigger language plpgsql as $$
begin
    {notify}
    -- A row that is locked belongs to a worker that is about to begin or end the job: it looks for itself.
    update job
    set state = 'cancelled', resumes = true, generation = null, lease_until = null, finished_at = now()
    where id in ({open} for update skip locked);
    return null;
end
$$
"""


def upgrade() -> None:
    op.execute(CANCEL.format(notify=NOTIFY, open=OPEN))


def downgrade() -> None:
    op.execute(CANCEL.format(notify="", open=OPEN))
