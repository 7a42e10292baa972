import { expect, it } from 'vitest'
import { eventIds } from './eventStream'

async function idsOf(...chunks: string[]): Promise<string[]> {
  const encoder = new TextEncoder()
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(encoder.encode(chunk))
      controller.close()
    },
  })
  const ids: string[] = []
  for await (const id of eventIds(body)) ids.push(id)
  return ids
}

it('hears events of every kind', async () => {
  expect(await idsOf('id: 7\nevent: evidence.read\ndata: {}\n\nid: 8\nevent: findings.judged\ndata: {}\n\n')).toEqual(['7', '8'])
})

it('hears an event that arrives in pieces, once it is whole', async () => {
  expect(await idsOf('id: 1', '2\neve', 'nt: x\ndata: {}\n', '\nid: 13\ndata: half')).toEqual(['12'])
})

it('takes comments and keep-alives for nothing', async () => {
  expect(await idsOf(': open\nretry: 2000\n\n: ping\n\n')).toEqual([])
})
