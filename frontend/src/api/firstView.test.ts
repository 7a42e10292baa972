import { QueryClient } from '@tanstack/react-query'
import { expect, it } from 'vitest'
import { spread } from './firstView'
import { keys } from './keys'
import type { FirstView } from './types'

const VIEW = { case: { number: 7 }, evidence: null, findings: { judged_rev: 3, items: [{ kind: 'signature', id: 'a' }, { kind: 'alarm' }] }, facts: { 'kernel.release': [{ value: '6.1' }] } } as unknown as FirstView

it('puts each part where its own query looks, and leaves what is listed by page', () => {
  const cache = new QueryClient()
  spread(cache, '7', VIEW)
  expect(cache.getQueryData(keys.caseHead('7'))).toEqual({ number: 7 })
  expect(cache.getQueryData(keys.findings('7'))).toEqual({ judged_rev: 3, items: [{ kind: 'signature', id: 'a' }] })
  expect(cache.getQueryData(keys.facts('7', 'kernel.release'))).toEqual([{ value: '6.1' }])
  expect(cache.getQueryData(keys.evidence('7'))).toBeUndefined()
})

it('does not replace what is newer', () => {
  const cache = new QueryClient()
  cache.setQueryData(keys.caseHead('7'), { number: 7, title: 'new' })
  spread(cache, '7', VIEW)
  expect(cache.getQueryData(keys.caseHead('7'))).toEqual({ number: 7, title: 'new' })
})
