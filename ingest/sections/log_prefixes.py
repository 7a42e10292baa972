"""Lines of kernel logs in any form, written in one: `ingest.native.log_prefix` learns their prefixes.

    11:22:33 kernel: e1000e 0000:00:1f.6: Detected Hardware Unit Hang
    ->  <->1 ~40953 - kernel - 65 - e1000e 0000:00:1f.6: Detected Hardware Unit Hang

Lines that another format recognises stay as they are.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from ingest.native.log_prefix import KernelMessages, PrefixForms
from ingest.readers.logs import kernel_log
from ingest.readers.logs.kernel_log import classes
from ingest.sections.recognise import Span, spans

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ingest.parsing.protocols import Format


@cache
def _messages() -> KernelMessages:
    return classes.kernel_messages()


def has_kernel_lines(lines: Sequence[str]) -> bool:
    """Return whether lines of a kernel log are among `lines`, of forms that have to be learned."""
    return bool(PrefixForms().read(list(lines), _messages()))


class LogPrefixes:
    """Forms of log prefixes in one text, learned from its lines in order."""

    def __init__(self) -> None:
        """Begin with no form."""
        self._forms = PrefixForms()

    def spans(self, lines: Sequence[str], current: Format | None) -> tuple[Sequence[str], list[Span]]:
        """Return `lines`, those of kernel logs in one form, and their spans; see `recognise.spans`."""
        found = spans(lines, current)
        written = self._forms.read(list(lines), _messages())
        if not written:
            return lines, found
        owners: list[Format | None] = [None] * len(lines)
        for span in found:
            owners[span.first : span.last + 1] = [span.format] * (span.last + 1 - span.first)
        changed = list(lines)
        for at, line in written:
            if owners[at] is None or owners[at] is kernel_log:
                changed[at] = line
        return changed, spans(changed, current)
