import { expect, it } from 'vitest'
import { readDiagram, stepsOf } from './diagram'
import { draw, wrapText } from './drawing'

const steps = (source: string) => {
  const diagram = readDiagram(source)
  return diagram && stepsOf(diagram)
}
const words = (source: string): string[] | undefined => steps(source)?.map(({ text, depth }) => '  '.repeat(depth) + text)

it('lists a sequence in order, with names instead of ids', () => {
  const diagram = words('sequenceDiagram\n participant R as CPU 0\n participant B as CPU 1\n loop every page\n R->>B: forget this\n end\n Note over B: not running<br/>at all')
  expect(diagram).toEqual(['loop every page', '  CPU 0 → CPU 1: forget this', 'not running at all'])
})

it('lists a flow chart by arrow', () => {
  const diagram = words('flowchart TD\n A[wants a page] --> B{room?}\n B -- yes --> C[done]\n B -- no --> D[reclaim] --> A')
  expect(diagram).toEqual(['wants a page → room?', 'room? → yes: done', 'room? → no: reclaim', 'reclaim → wants a page'])
})

it('lists a Gantt chart by span', () => {
  expect(words('gantt\n title One period\n section CPU 0\n runs :a, 0, 15\n stopped :crit, b, 15, 100')).toEqual([
    'One period',
    'CPU 0',
    '  runs, from 0 to 15',
    '  stopped, from 15 to 100',
  ])
})

it('rejects other kinds of diagram', () => {
  expect(readDiagram('pie\n "a": 1')).toBeNull()
})

const STORIES = import.meta.glob<string>('../../../../signatures/library/*/*/story.md', { query: '?raw', import: 'default', eager: true })

it.each(Object.entries(STORIES))('lists every arrow of %s', (_, story) => {
  const diagrams = [...story.matchAll(/```mermaid\n(.*?)```/gs)].map(([, source]) => source ?? '')
  expect(diagrams.length).toBeGreaterThan(0)
  for (const source of diagrams) {
    const arrows = source.startsWith('gantt') ? 4 : (source.match(/--?>>|-->|-\.->/g) ?? []).length
    expect(steps(source)?.length).toBeGreaterThanOrEqual(arrows)
  }
})

it.each(Object.entries(STORIES))('draws every arrow and label of %s inside the frame', (_, story) => {
  for (const [, source] of story.matchAll(/```mermaid\n(.*?)```/gs)) {
    const diagram = readDiagram(source ?? '')
    if (!diagram) throw new Error('not parsed')
    const { width, height, shapes } = draw(diagram)
    const heads = shapes.filter((shape) => shape.kind === 'line' && shape.hasHead).length
    const arrows = diagram.kind === 'flow' ? diagram.arrows.length : diagram.kind === 'sequence' ? diagram.events.filter(({ kind }) => kind === 'message').length : 0
    expect(heads).toBe(arrows)
    for (const shape of shapes) {
      const points = shape.kind === 'line' ? shape.points : [[shape.x, shape.y] as const]
      for (const [x, y] of points) {
        expect(x).toBeGreaterThanOrEqual(0)
        expect(x).toBeLessThanOrEqual(width)
        expect(y).toBeGreaterThanOrEqual(0)
        expect(y).toBeLessThanOrEqual(height)
      }
    }
    const drawn = shapes.flatMap((shape) => (shape.kind === 'text' ? shape.lines : [])).join(' ')
    const labels = diagram.kind === 'gantt' ? [diagram.title] : [...diagram.names.values()]
    for (const text of labels) expect(drawn).toContain(text)
  }
})

it('wraps text at spaces and keeps long words whole', () => {
  expect(wrapText('a page fault charges one page', 12)).toEqual(['a page fault', 'charges one', 'page'])
  expect(wrapText('smp_call_function_many_cond', 12)).toEqual(['smp_call_function_many_cond'])
})
