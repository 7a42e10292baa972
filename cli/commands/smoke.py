"""`casebook smoke`: end-to-end test of the main job on a real instance.

$ casebook smoke
starting PostgreSQL
…
sent 11 files: http://127.0.0.1:40123/cases/3
read and judged in 4.1 s by a worker (build-7:5312); the API is build-7:5290

match  mm/memcg-limit-reclaim  A memcg at its limit …
  memcg_reclaim        43.7 %                   perf.script.txt.gz:497-522, …
ok
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from backend.client import Client

FOLDER = "reclaim-at-the-limit"
EXPECTED = "mm/memcg-limit-reclaim"
SHOWN_VERDICTS = frozenset({"match", "suspect"})


@click.command("smoke")
@click.option("--url", metavar="URL", default="", help="URL of a running instance; default: a temporary one.")
@click.option(
    "--token",
    metavar="TOKEN",
    default="",
    envvar="CASEBOOK_TOKEN",
    help="Bearer token for --url.",
    show_envvar=True,
)
@click.option(
    "--timeout",
    metavar="SECONDS",
    type=click.FloatRange(min=1),
    default=120.0,
    show_default=True,
    help="Time to wait for the verdict.",
)
def command(url: str, token: str, timeout: float) -> None:
    """Upload a real perf script, wait for the verdict, and print it with citations."""
    from cli.service.instance import InstanceError, throw_away  # noqa: PLC0415 - keeps `casebook --help` fast

    if url and not token:
        raise click.UsageError(
            "--url needs --token: "
            "`casebook token create --name smoke --scope read --scope evidence --days 1` makes one"
        )
    if url:
        run(url, token, timeout)
        return
    try:
        with throw_away(say=click.echo) as instance:
            run(instance.url, instance.create_token("smoke"), timeout)
    except InstanceError as error:
        raise click.ClickException(str(error)) from None


def run(url: str, token: str, timeout_seconds: float) -> None:
    """Run the main job at `url` and print it.

    Raises:
        ClickException: A step failed, or the verdict is unexpected.
    """
    import httpx  # noqa: PLC0415 - same

    from backend.client import Client, ClientError  # noqa: PLC0415 - same

    try:
        with Client(url, token=token) as casebook:
            main_job(casebook, url, timeout_seconds)
    except TimeoutError as error:
        raise click.ClickException(f"{error}; is a worker running?") from None
    except (ClientError, httpx.HTTPError) as error:
        raise click.ClickException(f"{url}: {error}") from None


def main_job(casebook: Client, url: str, timeout_seconds: float) -> None:
    """Upload the recorded folder, wait, check the worker process, and print the findings."""
    from backend.evidence.sample_cases import NOT_EVIDENCE, SAMPLES  # noqa: PLC0415 - same
    from signatures.rendering.finding_rows import finding_lines  # noqa: PLC0415 - same

    root = SAMPLES / FOLDER
    paths = [path for path in sorted(root.rglob("*")) if path.is_file() and path.name not in NOT_EVIDENCE]
    started = time.monotonic()
    case = casebook.post_files([(path.relative_to(root).as_posix(), path) for path in paths]).case
    click.echo(f"sent {len(paths)} files: {url}/cases/{case.number}")
    casebook.wait_until_judged(case.id, timeout_seconds=timeout_seconds)
    seconds = time.monotonic() - started
    api = casebook.status().process
    workers = sorted({job.worker for job in casebook.jobs(case.id) if job.worker})
    if not workers or api in workers:
        raise click.ClickException(f"the work was done by {', '.join(workers) or 'nobody'}; the API is {api}")
    click.echo(f"read and judged in {seconds:.1f} s by {', '.join(workers)}; the API is {api}\n")
    findings = casebook.findings(case.id).items
    for finding in findings:
        if finding.verdict in SHOWN_VERDICTS:
            for line in finding_lines(finding):
                click.echo(line)
    # One for each phase: the folder has files from before the incident.
    verdicts = [one.verdict for one in findings if one.kind == "signature" and one.signature == EXPECTED]
    if "match" not in verdicts:
        raise click.ClickException(f"{EXPECTED} is {' and '.join(verdicts) or 'not listed'}, not match")
    click.echo(f"{url}/cases/{case.number}\nok")
