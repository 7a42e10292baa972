import { expect, it } from 'vitest'
import type { Hosts, Verdict } from '../../api'
import { cellOf, hostsOf, onlyHostOf, suspectHost } from './matrix'

const cell = (host: string, verdict: Verdict, phase = 'during') => ({ host, phase, verdict, finding_id: `${host}-${phase}`, confidence_word: null, coverage_word: 'high' })
const host = (name: string) => ({ name, boots: [], evidence_count: 1, fact_count: 9, kernels: [] })
const row = (...cells: ReturnType<typeof cell>[]) => ({ signature: 'mm/x', title: 'X', severity: 'high', cells })
const hosts: Hosts = { hosts: ['db7', 'db8', 'db9'].map(host), rows: [row(cell('db7', 'no_match'), cell('db8', 'match'), cell('db9', 'no_match'))] }

it('prefers the incident over later phases', () => {
  expect(cellOf(row(cell('db7', 'no_match', 'after'), cell('db7', 'match')), 'db7')?.verdict).toBe('match')
  expect(cellOf(row(cell('db7', 'no_match', 'after')), 'db7')?.verdict).toBe('no_match')
  expect(cellOf(row(cell('db7', 'match')), 'db8')).toBeUndefined()
})

it('names the only host with a finding', () => {
  expect(hosts.rows.map((one) => onlyHostOf(one, ['db7', 'db8', 'db9']))).toEqual(['db8'])
  expect(onlyHostOf(row(cell('db7', 'match'), cell('db8', 'suspect')), ['db7', 'db8'])).toBe('')
  expect(onlyHostOf(row(cell('db7', 'match')), ['db7'])).toBe('')
})

it('suggests the outlier first, then the host with findings', () => {
  expect(suspectHost(hosts, 'db9')).toBe('db9')
  expect(suspectHost(hosts, null)).toBe('db8')
  expect(suspectHost({ hosts: [], rows: [] }, null)).toBeUndefined()
})

it('orders hosts by their findings, so that forty hosts begin with the sick ones', () => {
  expect(hostsOf(hosts.rows)).toEqual(['db8', 'db7', 'db9'])
  expect(hostsOf([row(cell('', 'no_match'), cell('db7', 'no_match'), cell('db9', 'suspect'))])).toEqual(['db9', 'db7', ''])
})
