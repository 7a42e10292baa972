import { expect, it } from 'vitest'
import { type StreamEvent, streamEvents } from './eventStream'

async function eventsOf(...chunks: string[]): Promise<StreamEvent[]> {
  const encoder = new TextEncoder()
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(encoder.encode(chunk))
      controller.close()
    },
  })
  const events: StreamEvent[] = []
  for await (const event of streamEvents(body)) events.push(event)
  return events
}

it('yields events of every kind', async () => {
  expect(await eventsOf('event: evidence.read\ndata: {"a": 1}\nid: 7\n\nid: 8\nevent: findings.judged\ndata: {}\n\n')).toEqual([
    { id: '7', data: '{"a": 1}' },
    { id: '8', data: '{}' },
  ])
})

it('reassembles an event split across chunks', async () => {
  expect(await eventsOf('id: 1', '2\neve', 'nt: x\ndata: {}\n', '\nid: 13\ndata: half')).toEqual([{ id: '12', data: '{}' }])
})

it('ignores comments and keep-alives', async () => {
  expect(await eventsOf(': open\nretry: 2000\n\n: ping\n\n')).toEqual([])
})
