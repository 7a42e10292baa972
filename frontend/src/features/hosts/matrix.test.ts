import { expect, it } from 'vitest'
import type { Hosts, Verdict } from '../../api'
import { aloneOn, cellOf, suspectHost } from './matrix'

const cell = (host: string, verdict: Verdict, phase = 'during') => ({ host, phase, verdict, finding_id: `${host}-${phase}`, confidence_word: null, coverage_word: 'high' })
const host = (name: string) => ({ name, boots: [], evidence_count: 1, fact_count: 9, kernels: [] })
const row = (...cells: ReturnType<typeof cell>[]) => ({ signature: 'mm/x', title: 'X', severity: 'high', cells })
const told: Hosts = { hosts: ['db7', 'db8', 'db9'].map(host), rows: [row(cell('db7', 'no_match'), cell('db8', 'match'), cell('db9', 'no_match'))] }

it('shows the incident before what came after it', () => {
  expect(cellOf(row(cell('db7', 'no_match', 'after'), cell('db7', 'match')), 'db7')?.verdict).toBe('match')
  expect(cellOf(row(cell('db7', 'no_match', 'after')), 'db7')?.verdict).toBe('no_match')
  expect(cellOf(row(cell('db7', 'match')), 'db8')).toBeUndefined()
})

it('names the host that is alone with a finding, and none among equals', () => {
  expect(told.rows.map((one) => aloneOn(one, ['db7', 'db8', 'db9']))).toEqual(['db8'])
  expect(aloneOn(row(cell('db7', 'match'), cell('db8', 'suspect')), ['db7', 'db8'])).toBe('')
  expect(aloneOn(row(cell('db7', 'match')), ['db7'])).toBe('')
})

it('looks first at the host that stands out, then at the one with findings', () => {
  expect(suspectHost(told, 'db9')).toBe('db9')
  expect(suspectHost(told, null)).toBe('db8')
  expect(suspectHost({ hosts: [], rows: [] }, null)).toBeUndefined()
})
