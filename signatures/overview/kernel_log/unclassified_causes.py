"""The loss of a lower layer that no class describes, and the alarms that it explains.

explained_by(error of "drivers/scsi/widget.c", chains)  ->  the chain that jbd2 leads 3 s later on its disk

What a message of no class says is known by its words only. So it leads over an alarm where its words
tell of a loss, its file is of a lower layer, it stands before the alarm and close to it, and both can be of
one device.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ingest.catalogue.message_places import LAYERS, part_of
from signatures.overview.kernel_log.device_paths import is_on_one_path
from signatures.overview.kernel_log.layer_order import distance, layer_of, rows
from signatures.overview.kernel_log.score import factors, words_factor

if TYPE_CHECKING:
    from collections.abc import Iterable

    from signatures.overview.kernel_log.chain import Chain
    from signatures.overview.kernel_log.unclassified import Error

_CAUSING = frozenset({"hardware", "bus", "controller", "driver"})
"""Layers that do more than pass requests on."""


def explained_by(error: Error, chains: Iterable[Chain]) -> Chain | None:
    """Return the first chain whose lead the loss of an error explains; None where none is certain."""
    first = error.placed[0]
    layer = part_of(error.path).layer if error.path else ""
    is_loss = words_factor(first.record.message) >= factors().words[0].factor
    if not error.is_alarm or not is_loss or layer not in _CAUSING:
        return None
    return next((chain for chain in chains if _is_explained(error, LAYERS.index(layer), chain)), None)


def _is_explained(error: Error, layer: int, chain: Chain) -> bool:
    first, lead = error.placed[0], chain.lead
    after = distance(first, lead.first)
    if after is None or after < 0 or lead.log_class.area in {"crash", "security"}:
        return False
    of_lead = layer_of(lead.log_class.name)
    is_lower = layer < of_lead or (of_lead == len(LAYERS) and lead.log_class.name in rows()["never_lead"])
    return is_lower and is_on_one_path(first.record, lead.first.record)
