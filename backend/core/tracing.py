"""Traces by OpenTelemetry: an extra, on by one setting.

    CASEBOOK_OTLP_ENDPOINT=http://collector:4318 casebook serve      # pip install 'kernel-casebook[otel]'

    POST /api/v1/cases/{case_id}/evidence        the request
      evidence.read                              its job, in a worker
        parse evidence                           the confined child that reads it

A job carries the context of the request that enqueued it in its payload (W3C Trace Context). Without the
setting no module of ours imports the SDK, and a span costs a comparison.

Sources: https://www.w3.org/TR/trace-context/ and https://opentelemetry.io/docs/specs/otlp/#otlphttp
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from backend.core.errors import SettingsError
from backend.core.version import VERSION

if TYPE_CHECKING:
    from collections.abc import Iterator

    from backend.core.settings import Settings

CARRIER = "traceparent"
"""The header of a request, and the field of the payload of a job."""

_state: dict[str, Any] = {}


def install(settings: Settings, component: str) -> None:
    """Export the spans of this process as those of `component`; no effect without the setting, or twice.

    Raises:
        SettingsError: The extra is not installed.
    """
    if not settings.otlp_endpoint or _state:
        return
    try:
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import (  # noqa: PLC0415 - an extra
            OTLPSpanExporter,
        )
        from opentelemetry.sdk.resources import Resource  # noqa: PLC0415 - an extra
        from opentelemetry.sdk.trace import TracerProvider  # noqa: PLC0415 - an extra
        from opentelemetry.sdk.trace.export import BatchSpanProcessor  # noqa: PLC0415 - an extra
    except ImportError:
        raise SettingsError(
            "CASEBOOK_OTLP_ENDPOINT needs the extra `otel`: pip install 'kernel-casebook[otel]'"
        ) from None
    resource = {"service.name": f"casebook-{component}", "service.version": VERSION}
    provider = TracerProvider(resource=Resource.create(resource))
    exporter = OTLPSpanExporter(endpoint=f"{settings.otlp_endpoint.rstrip('/')}/v1/traces")
    provider.add_span_processor(BatchSpanProcessor(exporter))
    _state["provider"], _state["tracer"] = provider, provider.get_tracer("casebook", VERSION)


def flush() -> None:
    """Send what is waiting, and export nothing more."""
    if _state:
        _state["provider"].shutdown()
        _state.clear()


@contextmanager
def span(name: str, *, parent: str = "", **attributes: str | int) -> Iterator[Any]:
    """Trace the block as part of the current span, or of the `traceparent` `parent`; yield it, or None."""
    if not _state:
        yield None
        return
    from opentelemetry.trace.propagation.tracecontext import (  # noqa: PLC0415 - an extra
        TraceContextTextMapPropagator,
    )

    context = TraceContextTextMapPropagator().extract({CARRIER: parent}) if parent else None
    with _state["tracer"].start_as_current_span(name, context=context, attributes=attributes) as current:
        yield current


def carrier() -> dict[str, str]:
    """Return the current span as `{"traceparent": …}`; nothing without one."""
    if not _state:
        return {}
    from opentelemetry.trace.propagation.tracecontext import (  # noqa: PLC0415 - an extra
        TraceContextTextMapPropagator,
    )

    found: dict[str, str] = {}
    TraceContextTextMapPropagator().inject(found)
    return {CARRIER: found[CARRIER]} if CARRIER in found else {}
