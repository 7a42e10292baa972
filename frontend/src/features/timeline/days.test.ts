import { expect, it } from 'vitest'
import type { TimelineEntry } from '../../api'
import { byDay, clock, sinceStart } from './days'

const at = (time: string): TimelineEntry => ({ id: time, at: time, until: null, kind: 'case', says: '', text: '', actor: '', evidence_id: null, line: 0, note: null, event: null, clock: 'casebook', uncertainty_s: 0, is_order_undecided: false, signature: '', host: '', links: [] })

it('groups entries by day, latest first', () => {
  const days = byDay([at('2026-03-13T23:59:00Z'), at('2026-03-14T03:12:00Z'), at('2026-03-14T03:20:00Z')])
  expect(days.map(({ day, entries }) => [day, entries.map((entry) => clock(entry.at))])).toEqual([
    ['2026-03-14', ['03:20:00', '03:12:00']],
    ['2026-03-13', ['23:59:00']],
  ])
})

it('formats the time since the first entry', () => {
  expect(sinceStart('2026-03-14T05:27:59Z', '2026-03-14T03:12:00Z')).toBe('+2 h 15 min')
  expect(sinceStart('2026-03-17T07:22:00Z', '2026-03-14T03:12:00Z')).toBe('+3 d 4 h')
})
