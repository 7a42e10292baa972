import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { afterEach, expect, it, vi } from 'vitest'
import { client } from './client'
import { linesPage } from './evidence'

afterEach(() => vi.restoreAllMocks())

it('asks for the lines of a file once it is read, not while it is being read', async () => {
  const data = { first_line: 1, last_line: 1, total_lines: 1, lines: ['procs'] }
  const sent = vi.spyOn(client, 'GET').mockResolvedValue({ data, response: new Response() })
  const file = { id: 'e1', sha256: 'a' }
  const cache = new QueryClient()
  const observer = new QueryObserver(cache, linesPage({ ...file, state: 'reading' }, 0))
  const stop = observer.subscribe(() => undefined)
  expect(sent).not.toHaveBeenCalled()
  observer.setOptions(linesPage({ ...file, state: 'read' }, 0))
  await vi.waitFor(() => expect(observer.getCurrentResult().data?.lines).toEqual(['procs']), { timeout: 60_000 })
  expect(sent).toHaveBeenCalledOnce()
  stop()
})
