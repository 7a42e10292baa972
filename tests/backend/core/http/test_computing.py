"""Turns of computations: a few at a time, without the slot of the request."""

from __future__ import annotations

import asyncio
import threading
from types import SimpleNamespace

from starlette.requests import Request

from backend.core.http.computing import Computing, compute
from backend.core.http.slots import SLOT_SCOPE_KEY, Slots, Turn


def test_computations_wait_for_their_turn_without_slots_and_senders_take_turns():
    order: list[str] = []
    running: list[str] = []
    most: list[int] = []
    are_all_there = threading.Event()

    def work(name: str) -> str:
        running.append(name)
        order.append(name)
        most.append(len(running))
        assert are_all_there.wait(60)
        running.remove(name)
        return name

    async def all_of_them() -> list[str]:
        slots = Slots(1, max_waiting=9, patience_seconds=9.0, stream_seconds=9.0)
        app = SimpleNamespace(state=SimpleNamespace(computing=Computing(1)))

        async def request(sender: str, name: str) -> str:
            slot = await slots.acquire(sender, Turn.READ)
            assert slot is not None
            scope = {"type": "http", "app": app, SLOT_SCOPE_KEY: slot}
            try:
                return await compute(Request(scope), lambda: work(name))
            finally:
                slot.end()

        many = [asyncio.create_task(request("many", f"many {at}")) for at in range(4)]
        await asyncio.sleep(0)
        reader = asyncio.create_task(request("reader", "reader"))
        # All of them wait for the one that computes; the slot is free for another page meanwhile.
        page = await slots.acquire("another", Turn.READ)
        assert page is not None
        assert len(order) <= 1
        page.end()
        are_all_there.set()
        return [*await asyncio.gather(*many), await reader]

    assert asyncio.run(all_of_them()) == ["many 0", "many 1", "many 2", "many 3", "reader"]
    assert max(most) == 1
    assert order.index("reader") < 3
