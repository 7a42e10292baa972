import { expect, it } from 'vitest'
import { chosenOf, edge, formatValue, identifyingLabels, lineNames, range, tickText, withChoice } from './labels'

it('formats bucket bounds with units', () => {
  expect([edge(512, 'us'), edge(0, 'us'), edge(4096, 'bytes'), edge(8192, '')]).toEqual(['512 µs', '0', '4.0 KiB', '8.2K'])
})

it('shows an unbounded bucket as such', () => {
  expect([range(1024, 2048, 'ns'), range(1024, null, 'ns')]).toEqual(['1.02 µs–2.05 µs', '≥ 1.02 µs'])
})

it('formats series values with units', () => {
  expect([formatValue(0.304, 'share'), formatValue(1500, 'per_second'), formatValue(12, 'count'), formatValue(2048, 'bytes')]).toEqual(['30.4 %', '1,500 /s', '12', '2.0 KiB'])
})

it('groups lines by the labels that identify a process', () => {
  expect(identifyingLabels(['uid', 'pid', 'cpu', 'comm'])).toEqual(['comm', 'pid'])
  expect(identifyingLabels(['zone', 'order'])).toEqual(['zone', 'order'])
})

it('formats axis ticks compactly', () => {
  expect([tickText(2_500_000, 'count'), tickText(0.5, 'share')]).toEqual(['2.5M', '50.0 %'])
})

const line = (pid: string, evidence_name: string) => ({ label: { pid }, evidence_name })

it('adds the file to ambiguous line names', () => {
  expect(lineNames([line('1', 'idle/pidstat'), line('1', 'busy/pidstat'), line('2', 'busy/pidstat')])).toEqual(['1 · idle/pidstat', '1 · busy/pidstat', '2'])
})

it('stores one choice per chart and drops defaults', () => {
  const charts = withChoice(withChoice([], '@us@a.txt', 'time'), 'rows:1', 'cpu_share')
  expect([chosenOf(charts, '@us@a.txt'), chosenOf(charts, 'rows:1'), chosenOf(charts, 'rows:2')]).toEqual(['time', 'cpu_share', undefined])
  expect(withChoice(withChoice(charts, 'rows:1', 'mem_share'), '@us@a.txt', undefined)).toEqual(['rows:1=mem_share'])
})
