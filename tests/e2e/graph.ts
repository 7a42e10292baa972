import { expect, type Locator } from '@playwright/test'

type Box = { x: number; y: number; width: number; height: number }

/** Moves the selection of a graph by keys, each once the graph has followed the one before: a key moves on from what is selected. */
export async function select(graph: Locator, ...keys: string[]): Promise<void> {
  for (const key of keys) {
    const before = (await graph.getAttribute('data-selected-node')) ?? ''
    await graph.press(key)
    await expect(graph).not.toHaveAttribute('data-selected-node', before)
  }
}

/** The place of an element when all parts of the page are there and nothing above it moves any more. */
export async function restingBox(element: Locator): Promise<Box> {
  await expect(element.page().getByRole('status', { name: /^Loading/ })).toHaveCount(0)
  const boxes: string[] = []
  await expect
    .poll(
      async () => {
        boxes.push(JSON.stringify(await element.boundingBox()))
        return boxes.length > 3 && new Set(boxes.slice(-4)).size === 1
      },
      { intervals: [250] },
    )
    .toBe(true)
  return JSON.parse(boxes.at(-1) ?? '') as Box
}
