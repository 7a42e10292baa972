import { expect, it } from 'vitest'
import type { LibraryResult } from '../../api'
import { shelvesOf, storiesOf } from './shelves'

const entry = (key: string, groups: string[]) => ({ key, area: key.split('/')[0] ?? '', groups }) as LibraryResult
const FULL = entry('net/conntrack-table-full', ['network'])
const STALL = entry('mm/memcg-stat-show-stall', ['network', 'slow'])
const story = (key: string, kind: string, headline: string) => ({ key, kind, headline, lead: 'It began.', reading_minutes: 3, title: [{ text: `Title of ${key}`, is_hit: false }] }) as unknown as LibraryResult
const SPLIT = entry('cpu/split-lock', [])

it('puts an entry on the shelf of its area, and those of no known area on the last', () => {
  const areas = [
    { value: 'net', title: 'Network' },
    { value: 'mm', title: 'Memory' },
    { value: 'fs', title: 'File systems' },
  ]
  expect(shelvesOf([FULL, STALL, SPLIT], 'area', areas).map(({ title, results }) => [title, results.map((one) => one.key)])).toEqual([
    ['Network', [FULL.key]],
    ['Memory', [STALL.key]],
    ['Other', [SPLIT.key]],
  ])
})

it('puts an entry with two symptoms on two shelves', () => {
  const symptoms = [
    { value: 'network', title: 'Network' },
    { value: 'slow', title: 'Slow' },
  ]
  expect(shelvesOf([FULL, STALL], 'symptom', symptoms).map(({ value, results }) => [value, results.length])).toEqual([
    ['network', 2],
    ['slow', 1],
  ])
})

it('lists the story of each signature, and those of the team by their title', () => {
  const stories = storiesOf([story('mm/a', 'signature', 'Why ps hangs'), story('mm/b', 'signature', ''), story('7-ours', 'story', '')])
  expect(stories.map(({ kind, title, minutes }) => [kind, title, minutes])).toEqual([
    ['signature', 'Why ps hangs', 3],
    ['story', 'Title of 7-ours', 3],
  ])
})
