import { expect, it } from 'vitest'
import type { SignatureSummary } from '../../api'
import { found } from './list'

const one = (id: string, severity: string, symptoms: string[] = [], aliases: string[] = []): SignatureSummary => ({
  id,
  severity,
  symptoms,
  aliases,
  version: 1,
  title: id,
  status: 'stable',
  area: id.split('/')[0] ?? '',
})
const LIBRARY = [one('sched/a', 'medium'), one('mm/low', 'low'), one('mm/bad', 'critical', ['ps hangs'], ['shrink_lruvec'])]
const ids = (query: string): string[] => found(LIBRARY, query).flatMap(({ signatures }) => signatures.map(({ id }) => id))

it('groups by area, the gravest first', () => {
  expect(ids('')).toEqual(['mm/bad', 'mm/low', 'sched/a'])
})

it('finds by symptom, by function and by all words together', () => {
  expect(ids('PS hangs')).toEqual(['mm/bad'])
  expect(ids('shrink_lru')).toEqual(['mm/bad'])
  expect(ids('hangs sched')).toEqual([])
})
