"""Slots: the limit holds, senders take turns, and slots are always released."""

from __future__ import annotations

import asyncio

import pytest

from backend.core.http.slots import SLOT_SCOPE_KEY, Slot, Slots, Turn, released


def slots(limit: int, *, max_waiting: int = 100, patience_seconds: float = 30.0) -> Slots:
    return Slots(
        limit, max_waiting=max_waiting, patience_seconds=patience_seconds, stream_seconds=patience_seconds
    )


async def turns(count: int = 5) -> None:
    """Let what is ready run."""
    for _ in range(count):
        await asyncio.sleep(0)


def test_concurrency_never_exceeds_the_slots():
    async def run() -> None:
        limited = slots(3)
        most = 0

        async def work(number: int) -> None:
            nonlocal most
            slot = await limited.acquire(str(number % 5), Turn.WRITE if number % 2 else Turn.READ)
            assert slot is not None
            most = max(most, limited.in_use)
            for _ in range(3):
                async with released({SLOT_SCOPE_KEY: slot}):
                    await asyncio.sleep(0)
                most = max(most, limited.in_use)
                await asyncio.sleep(0)
            slot.end()

        await asyncio.gather(*(work(number) for number in range(60)))
        assert (most, limited.in_use, limited.waiting) == (3, 0, 0)

    asyncio.run(run())


def test_a_request_that_waits_too_long_is_refused():
    async def run() -> None:
        limited = slots(1, patience_seconds=0.01)
        held = await limited.acquire("a", Turn.READ)
        assert held is not None
        assert await limited.acquire("b", Turn.WRITE) is None
        held.end()
        assert (limited.in_use, limited.waiting) == (0, 0)

    asyncio.run(run())


def test_a_cancelled_waiter_takes_no_slot():
    async def run() -> None:
        limited = slots(1)
        held = await limited.acquire("a", Turn.READ)
        assert held is not None
        before = asyncio.create_task(limited.acquire("b", Turn.READ))
        given = asyncio.create_task(limited.acquire("c", Turn.READ))
        await turns()
        before.cancel()
        await turns()
        assert limited.waiting == 1
        # The slot is handed over, and its new holder is cancelled before it runs.
        held.end()
        given.cancel()
        with pytest.raises(asyncio.CancelledError):
            await given
        assert (limited.in_use, limited.waiting) == (0, 0)

    asyncio.run(run())


async def order_of(limited: Slots, asked: list[tuple[str, Turn]]) -> list[str]:
    """Return in which order requests that wait at the same time get the one slot; refused ones not at all."""
    held = await limited.acquire("first", Turn.READ)
    assert held is not None
    served: list[str] = []

    async def ask(sender: str, turn: Turn) -> None:
        slot = await limited.acquire(sender, turn)
        if slot is not None:
            served.append(sender)
            slot.end()

    tasks = []
    for sender, turn in asked:
        tasks.append(asyncio.create_task(ask(sender, turn)))
        await turns()
    held.end()
    await asyncio.gather(*tasks)
    return served


def test_slots_are_shared_round_robin_by_sender():
    asked = [("flood", Turn.READ)] * 4 + [("one", Turn.READ), ("two", Turn.READ)]
    served = asyncio.run(order_of(slots(1), asked))
    assert served == ["flood", "one", "two", "flood", "flood", "flood"]


def test_writes_precede_reads_without_starving_them():
    asked = [("read", Turn.READ)] * 6 + [("write", Turn.WRITE)] * 6
    served = asyncio.run(order_of(slots(1), asked))
    assert served[0] == "write"
    assert served[:6].count("read") == 2


def test_a_full_queue_drops_the_latest_request_of_the_busiest_sender():
    asked = [("flood", Turn.READ)] * 5 + [("one", Turn.READ), ("writer", Turn.WRITE)]
    served = asyncio.run(order_of(slots(1, max_waiting=4), asked))
    assert sorted(served) == ["flood", "flood", "one", "writer"]


def test_writes_of_one_sender_do_not_starve_others():
    asked = [("flood", Turn.WRITE)] * 5 + [("reader", Turn.READ), ("one", Turn.WRITE)]
    served = asyncio.run(order_of(slots(1, max_waiting=4), asked))
    assert sorted(served) == ["flood", "flood", "flood", "one"]


def test_a_released_slot_is_not_released_twice():
    async def run() -> None:
        limited = slots(1)
        slot = await limited.acquire("a", Turn.READ)
        assert isinstance(slot, Slot)
        async with released({SLOT_SCOPE_KEY: slot}):
            slot.end()
        slot.end()
        assert limited.in_use == 0

    asyncio.run(run())


def test_a_request_without_a_slot_releases_nothing():
    async def run() -> dict[str, object]:
        scope: dict[str, object] = {}
        async with released(scope):
            await asyncio.sleep(0)
        return scope

    assert asyncio.run(run()) == {}


def test_a_flood_of_writes_leaves_slots_to_readers():
    async def run() -> None:
        limited = slots(8)
        writers = [asyncio.create_task(limited.acquire("flood", Turn.WRITE)) for _ in range(20)]
        await turns()
        assert limited.in_use == 5
        readers = [await limited.acquire(str(number), Turn.READ) for number in range(3)]
        assert all(readers)
        assert limited.in_use == 8
        for reader in readers:
            reader.end()
        await turns()
        assert limited.in_use == 5
        for writer in writers:
            (await writer).end()
        assert (limited.in_use, limited.waiting) == (0, 0)

    asyncio.run(run())


def test_an_admitted_write_that_waited_resumes_beyond_the_share_of_its_class():
    async def run() -> None:
        limited = slots(8)
        held = [await limited.acquire("flood", Turn.WRITE) for _ in range(5)]
        held[0].pause()
        other = await limited.acquire("other", Turn.WRITE)
        await held[0].resume()
        assert limited.in_use == 6
        for slot in (*held, other):
            slot.end()
        assert limited.in_use == 0

    asyncio.run(run())
