import { expect, it } from 'vitest'
import { type Entry, ranked, score } from './rank'

const entry = (group: string, label: string): Entry => ({ id: label, group, label, act: () => {} })

it('requires every word of the query, in any order', () => {
  expect(score('limit reclaim', 'Reclaim at the limit of a cgroup')).toBeGreaterThan(0)
  expect(score('limit swap', 'Reclaim at the limit of a cgroup')).toBe(0)
})

it('prefers the beginning of the text, then of a word', () => {
  const scores = ['flame graph', 'the flame graph', 'inflamed'].map((text) => score('flame', text))
  expect(scores).toEqual(scores.toSorted((a, b) => b - a))
  expect(new Set(scores).size).toBe(3)
})

it('keeps the order of groups and sorts within them', () => {
  const entries = [entry('Pages', 'All files'), entry('Findings', 'Files of the host'), entry('Pages', 'Files')]
  expect(ranked('files', entries).map(({ label }) => label)).toEqual(['Files', 'All files', 'Files of the host'])
})

it('shows a few of a large group', () => {
  const files = Array.from({ length: 500 }, (_, number) => entry('Files', `dmesg-${number}.txt`))
  expect(ranked('dmesg', [...files, entry('Pages', 'dmesg page')]).length).toBeLessThan(10)
})
