import { expect, it } from 'vitest'
import { readDiagram, stepsOf } from './diagram'
import { broken, draw } from './drawing'

const steps = (source: string) => {
  const told = readDiagram(source)
  return told && stepsOf(told)
}
const words = (source: string): string[] | undefined => steps(source)?.map(({ text, depth }) => '  '.repeat(depth) + text)

it('tells a sequence in its order, with names in place of ids', () => {
  const told = words('sequenceDiagram\n participant R as CPU 0\n participant B as CPU 1\n loop every page\n R->>B: forget this\n end\n Note over B: not running<br/>at all')
  expect(told).toEqual(['loop every page', '  CPU 0 → CPU 1: forget this', 'not running at all'])
})

it('tells a flow chart arrow by arrow', () => {
  const told = words('flowchart TD\n A[wants a page] --> B{room?}\n B -- yes --> C[done]\n B -- no --> D[reclaim] --> A')
  expect(told).toEqual(['wants a page → room?', 'room? → yes: done', 'room? → no: reclaim', 'reclaim → wants a page'])
})

it('tells who runs from when to when', () => {
  expect(words('gantt\n title One period\n section CPU 0\n runs :a, 0, 15\n stopped :crit, b, 15, 100')).toEqual([
    'One period',
    'CPU 0',
    '  runs, from 0 to 15',
    '  stopped, from 15 to 100',
  ])
})

it('leaves other diagrams to be shown as they are written', () => {
  expect(readDiagram('pie\n "a": 1')).toBeNull()
})

const STORIES = import.meta.glob<string>('../../../../signatures/library/*/*/story.md', { query: '?raw', import: 'default', eager: true })

it.each(Object.entries(STORIES))('tells every arrow of %s', (_, story) => {
  const diagrams = [...story.matchAll(/```mermaid\n(.*?)```/gs)].map(([, source]) => source ?? '')
  expect(diagrams.length).toBeGreaterThan(0)
  for (const source of diagrams) {
    const arrows = source.startsWith('gantt') ? 4 : (source.match(/--?>>|-->|-\.->/g) ?? []).length
    expect(steps(source)?.length).toBeGreaterThanOrEqual(arrows)
  }
})

it.each(Object.entries(STORIES))('draws every arrow and every word of %s inside its frame', (_, story) => {
  for (const [, source] of story.matchAll(/```mermaid\n(.*?)```/gs)) {
    const told = readDiagram(source ?? '')
    if (!told) throw new Error('not read')
    const { width, height, shapes } = draw(told)
    const heads = shapes.filter((shape) => shape.kind === 'line' && shape.hasHead).length
    const arrows = told.kind === 'flow' ? told.arrows.length : told.kind === 'sequence' ? told.happenings.filter(({ kind }) => kind === 'message').length : 0
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
    const said = told.kind === 'gantt' ? [told.title] : [...told.names.values()]
    for (const text of said) expect(drawn).toContain(text)
  }
})

it('breaks text at blanks and leaves a long word whole', () => {
  expect(broken('a page fault charges one page', 12)).toEqual(['a page fault', 'charges one', 'page'])
  expect(broken('smp_call_function_many_cond', 12)).toEqual(['smp_call_function_many_cond'])
})
