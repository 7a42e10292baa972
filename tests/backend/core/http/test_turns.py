"""Cooperative turns: other callbacks run between, and the order is preserved."""

from __future__ import annotations

import asyncio
import time

from backend.core.http.turns import SLICE_SECONDS, Turns

COUNT = 60
ITEM_SECONDS = SLICE_SECONDS / 3


def compute() -> None:
    until = time.perf_counter() + ITEM_SECONDS
    while time.perf_counter() < until:
        pass


def test_others_run_between_slices_and_order_is_kept():
    async def run() -> tuple[list[int], int]:
        turns, done, others = Turns(), [], 0

        def work(number: int) -> None:
            compute()
            done.append(number)

        for number in range(COUNT):
            turns.add(lambda number=number: work(number))
        while len(done) < COUNT:
            await asyncio.sleep(0)
            others += 1
        return done, others

    done, others = asyncio.run(run())
    assert done == list(range(COUNT))
    assert others >= COUNT * ITEM_SECONDS / SLICE_SECONDS / 2


def test_work_that_fails_stops_no_other():
    async def run() -> list[str]:
        turns, done, errors = Turns(), [], []
        asyncio.get_running_loop().set_exception_handler(
            lambda _, context: errors.append(context["exception"])
        )
        turns.add(lambda: 1 / 0)
        turns.add(lambda: done.append("second"))
        for _ in range(5):
            await asyncio.sleep(0)
        assert [type(error) for error in errors] == [ZeroDivisionError]
        return done

    assert asyncio.run(run()) == ["second"]
