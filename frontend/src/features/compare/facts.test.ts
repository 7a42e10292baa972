import { expect, it } from 'vitest'
import type { Fact } from '../../api'
import { capturedTogether, factPairs, factText } from './facts'

const fact = (name: string, value: Fact['value'], labels: Record<string, string> = {}) => ({ name, value, labels, unit: '', evidence_id: 'e', section: 0, first_line: 1, last_line: 1 }) as Fact

it('sorts by change, one-sided facts last', () => {
  const pairs = factPairs(
    [fact('vmstat.pgscan', 10), fact('kernel.release', '6.1'), fact('cpu.online', 4), fact('only.a', 1)],
    [fact('vmstat.pgscan', 1000), fact('kernel.release', '6.12'), fact('cpu.online', 4), fact('loadavg.1m', 3)],
  )
  expect(pairs.map(({ name, a, b }) => [name, a, b])).toEqual([['kernel.release', '6.1', '6.12'], ['vmstat.pgscan', 10, 1000], ['loadavg.1m', undefined, 3], ['only.a', 1, undefined]])
})

it('pairs facts by name and labels', () => {
  expect(factPairs([fact('memcg.usage_bytes', 1, { cgroup: 'a' })], [fact('memcg.usage_bytes', 2, { cgroup: 'b' })])).toHaveLength(2)
})

it('shows an absent value as text', () => {
  expect([factText(undefined, 'bytes'), factText(0, 'bytes'), factText(0.5, 'share'), factText('v2', '')]).toEqual(['not stated', '0 B', '50.0 %', 'v2'])
})

it('groups the evidence of one folder and its subfolders', () => {
  const all = ['idle/perf.txt', 'idle/proc/meminfo', 'busy/perf.txt', 'loose.txt'].map((captured_path, at) => ({ id: `e${at}`, captured_path, parent_id: null }))
  expect(capturedTogether('e0', all)).toEqual(['e0', 'e1'])
  expect(capturedTogether('e3', all)).toEqual(['e3'])
})
