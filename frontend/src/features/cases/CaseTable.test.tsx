import { render, screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import type { ListedCase } from '../../api'
import { CaseTable } from './CaseTable'

type Headline = NonNullable<ListedCase['headline']>

const headlineOf = (some: Partial<Headline>): Headline => ({
  kind: 'match',
  text: 'A block device returns errors',
  title: 'A block device returns errors',
  signature: 'block/io-errors',
  alarm: '',
  suspicion: '',
  host: '',
  verdict: 'match',
  severity: 'high',
  level: 'failure',
  confidence: 0.9,
  coverage: 0.9,
  unjudged: '',
  ...some,
})
const NO_FINDING = { signature: '', verdict: null, severity: null, level: null, confidence: null, coverage: null }

function show(headline: ListedCase['headline']) {
  const item = { seen_before: 0, name: 'db7', id: 'c7', number: 7, title: 'db7', state: 'open', updated_at: '2026-11-20T03:12:00Z', hosts: [], evidence_count: 1, reading_count: 0, unread_count: 0, judged: true, headline } as unknown as ListedCase
  render(<CaseTable cases={[item]} query={{ q: '', state: '', sort: '-created_at' }} onQuery={vi.fn<() => void>()} linkTo={(_, text) => text} />)
  return screen.getAllByRole('cell')[1]?.textContent
}

it('leads with the verdict of a signature', () => {
  expect(show(headlineOf({}))).toBe('IsA block device returns errors')
})

it('shows an alarm that no signature explains, and does not call it a match', () => {
  expect(show(headlineOf({ ...NO_FINDING, kind: 'statement', verdict: 'match', alarm: 'panic', title: 'Kernel panic', text: 'Kernel panic' }))).toBe('AlarmKernel panic')
})

it('shows what was found at all without a finding', () => {
  const text = 'Nothing unusual found in what was assessed: CPU, memory, IO'
  expect(show(headlineOf({ ...NO_FINDING, kind: 'nothing unusual', text, title: text }))).toBe(text)
})

it('says that nothing was found where there is no headline', () => {
  expect(show(null)).toBe('no finding')
})
