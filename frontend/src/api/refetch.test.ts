import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { expect, test, vi } from 'vitest'
import { refetchChanged } from './refetch'

const KEY = ['case', '42', 'findings']
/** For a machine that is busy with something else. */
const PATIENT = { timeout: 60_000 }

/** A query that is shown, whose answers arrive when they are sent. */
function shown() {
  const cache = new QueryClient()
  const answers: ((verdict: string) => void)[] = []
  const queryFn = () => new Promise<string>((resolve) => answers.push(resolve))
  const observer = new QueryObserver(cache, { queryKey: KEY, queryFn })
  const stop = observer.subscribe(() => {})
  const answer = async (index: number, verdict: string) => {
    await vi.waitFor(() => expect(answers.length).toBeGreaterThan(index), PATIENT)
    answers[index]?.(verdict)
  }
  return { cache, answers, answer, stop }
}

test('a first answer from before a change is asked for again', async () => {
  const { cache, answers, answer, stop } = shown()
  const refetched = refetchChanged(cache, KEY)
  await answer(0, 'before the change')
  await answer(1, 'after the change')
  await refetched
  expect(cache.getQueryData(KEY)).toBe('after the change')
  expect(answers).toHaveLength(2)
  stop()
})

test('an answer that is shown is asked for once', async () => {
  const { cache, answers, answer, stop } = shown()
  await answer(0, 'before the change')
  await vi.waitFor(() => expect(cache.getQueryData(KEY)).toBeDefined(), PATIENT)
  const refetched = refetchChanged(cache, KEY)
  await answer(1, 'after the change')
  await refetched
  expect(cache.getQueryData(KEY)).toBe('after the change')
  expect(answers).toHaveLength(2)
  stop()
})
