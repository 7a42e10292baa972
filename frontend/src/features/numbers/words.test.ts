import { expect, it } from 'vitest'
import { chosenOf, edge, lineNames, range, reading, tellingLabels, tickText, withChoice } from './words'

it('says the unit of every edge', () => {
  expect([edge(512, 'us'), edge(0, 'us'), edge(4096, 'bytes'), edge(8192, '')]).toEqual(['512 µs', '0', '4.0 KiB', '8.2K'])
})

it('says that a bucket has no end rather than inventing one', () => {
  expect([range(1024, 2048, 'ns'), range(1024, null, 'ns')]).toEqual(['1.02 µs–2.05 µs', '≥ 1.02 µs'])
})

it('reads values of a series with their unit', () => {
  expect([reading(0.304, 'share'), reading(1500, 'per_second'), reading(12, 'count'), reading(2048, 'bytes')]).toEqual(['30.4 %', '1,500 /s', '12', '2.0 KiB'])
})

it('draws a line for what tells processes apart, not for every number beside them', () => {
  expect(tellingLabels(['uid', 'pid', 'cpu', 'comm'])).toEqual(['comm', 'pid'])
  expect(tellingLabels(['zone', 'order'])).toEqual(['zone', 'order'])
})

it('is short where there is little room', () => {
  expect([tickText(2_500_000, 'count'), tickText(0.5, 'share')]).toEqual(['2.5M', '50.0 %'])
})

const line = (pid: string, evidence_name: string) => ({ label: { pid }, evidence_name })

it('says the file where labels alone do not tell lines apart', () => {
  expect(lineNames([line('1', 'idle/pidstat'), line('1', 'busy/pidstat'), line('2', 'busy/pidstat')])).toEqual(['1 · idle/pidstat', '1 · busy/pidstat', '2'])
})

it('keeps one choice a chart, and none that is as by default', () => {
  const charts = withChoice(withChoice([], '@us@a.txt', 'time'), 'rows:1', 'cpu_share')
  expect([chosenOf(charts, '@us@a.txt'), chosenOf(charts, 'rows:1'), chosenOf(charts, 'rows:2')]).toEqual(['time', 'cpu_share', undefined])
  expect(withChoice(withChoice(charts, 'rows:1', 'mem_share'), '@us@a.txt', undefined)).toEqual(['rows:1=mem_share'])
})
