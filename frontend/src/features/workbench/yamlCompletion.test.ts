import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { optionsAt, placeAt, type Schema } from './yamlCompletion'

const schema = JSON.parse(readFileSync(new URL('../../../../signatures/signature.schema.json', import.meta.url), 'utf8')) as Schema

/** The labels that are offered where `|` stands. */
function offered(text: string): string[] {
  const at = text.indexOf('|')
  const place = placeAt(text.replace('|', ''), at)
  return place ? optionsAt(schema, place).map(({ label }) => label) : []
}

describe('completion of a signature from its schema', () => {
  it('offers the keys of a signature that it has not yet', () => {
    const labels = offered('schema: 1\nid: mm/x\n|\ntitle: A\n')
    expect(labels).toContain('severity')
    expect(labels).toContain('clauses')
    expect(labels).not.toContain('id')
    expect(labels).not.toContain('title')
  })
  it('offers the values of an enumeration', () => {
    expect(offered('severity: |')).toEqual(['critical', 'high', 'low', 'medium'])
  })
  it('offers what a condition may ask for, below any name of a clause', () => {
    const labels = offered('clauses:\n  dropping:\n    title: A\n    |')
    expect(labels).toEqual(expect.arrayContaining(['role', 'log', 'fact', 'stack', 'weight']))
    expect(labels).not.toContain('title')
    expect(offered('clauses:\n  dropping:\n    role: |')).toContain('core')
  })
  it('follows flow style', () => {
    const labels = offered('clauses:\n  dropping:\n    log: {class: oom_kill, |')
    expect(labels).toContain('at_least')
    expect(labels).not.toContain('class')
  })
  it('follows lists', () => {
    expect(offered('fixes:\n  - kind: workaround\n    |')).toContain('title')
    expect(offered('fixes:\n  - |')).toContain('kind')
  })
  it('knows the level after a deeper one', () => {
    const labels = offered('clauses:\n  a:\n    log: {class: oom_kill}\ndecide:\n  |')
    expect(labels).toEqual(expect.arrayContaining(['require', 'match', 'suspect']))
  })
  it('offers nothing in a comment', () => {
    expect(offered('# sev|')).toEqual([])
  })
})
