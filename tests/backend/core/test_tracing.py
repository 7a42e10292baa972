"""Traces reach a collector of our own by OTLP/HTTP: a request, its job, and the child that reads."""

from __future__ import annotations

import gzip
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import httpx
import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from sqlalchemy import select

from backend.core import tracing
from backend.core.jobs.runner import run_job
from backend.models import Job, JobState
from tests.backend.applications import create_app
from tests.backend.conftest import PATIENT, serving

TRACE, PARENT = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"


@pytest.fixture
def collector():
    """Yield the URL of a collector, and what it has received."""
    spans = []

    class Sink(BaseHTTPRequestHandler):
        def do_POST(self):
            assert self.path == "/v1/traces"
            body = self.rfile.read(int(self.headers["Content-Length"]))
            is_packed = self.headers.get("Content-Encoding") == "gzip"
            sent = ExportTraceServiceRequest.FromString(gzip.decompress(body) if is_packed else body)
            for resource in sent.resource_spans:
                spans.extend(span for scope in resource.scope_spans for span in scope.spans)
            self.send_response(200)
            self.end_headers()

        def log_message(self, *_):
            """Write nothing."""

    sink = ThreadingHTTPServer(("127.0.0.1", 0), Sink)
    thread = threading.Thread(target=sink.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{sink.server_port}", spans
    sink.shutdown()
    thread.join(10)
    sink.server_close()


def test_a_request_its_job_and_the_child_that_reads_are_one_trace(
    collector, app_settings, sessions, store, token
):
    url, spans = collector
    traced = app_settings.model_copy(update={"otlp_endpoint": url, **PATIENT})
    with serving(create_app(traced, sessions=sessions, store=store)) as address:
        answer = httpx.put(
            f"{address}/api/v1/evidence/dmesg.txt",
            content=b"[    1.000000] Linux version 6.1.0-13-amd64\n",
            headers={"Authorization": f"Bearer {token}", "traceparent": f"00-{TRACE}-{PARENT}-01"},
        )
        assert answer.status_code == 202
        with sessions() as session:
            [job] = session.scalars(select(Job).where(Job.kind.like("evidence.%"))).all()
        assert run_job(job.id, traced, sessions, store) is JobState.DONE
    tracing.flush()
    by_name = {span.name: span for span in spans if span.trace_id.hex() == TRACE}
    request = by_name["PUT /evidence/{filename:path}"]
    read = by_name[job.kind]
    child = by_name["child: reading"]
    assert request.parent_span_id.hex() == PARENT
    assert read.parent_span_id == request.span_id
    assert child.parent_span_id == read.span_id
    attributes = {one.key: one.value for one in request.attributes}
    assert attributes["http.response.status_code"].int_value == 202
    assert attributes["request_id"].string_value == answer.headers["X-Request-ID"]
    assert request.start_time_unix_nano < read.start_time_unix_nano < child.start_time_unix_nano


def test_without_the_extra_everything_runs_and_the_setting_is_refused_with_what_to_install():
    code = """
import sys
for name in ("opentelemetry.sdk", "opentelemetry.exporter"):
    sys.modules[name] = None
import backend.app, backend.worker
from backend.core import tracing
from backend.core.errors import SettingsError
from backend.core.settings import Settings
tracing.install(Settings(), "api")
with tracing.span("nothing") as span:
    assert span is None and tracing.carrier() == {}
try:
    tracing.install(Settings(otlp_endpoint="http://127.0.0.1:1"), "api")
except SettingsError as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "kernel-casebook[otel]" in done.stdout
