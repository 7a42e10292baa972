import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { QueryClient } from '@tanstack/react-query'
import { describe, expect, it } from 'vitest'
import { changedKeys, readEvent, seenUntil, urgentChanges } from './caseEvents'
import { keys } from './keys'

/** Resource names that the OpenAPI document allows in `changes` of an event. */
function resources(): string[] {
  const schema = JSON.parse(readFileSync(join(process.cwd(), 'openapi.json'), 'utf8')) as {
    components: { schemas: { EventRead: { properties: { changes: { items: { enum: string[] } } } } } }
  }
  return schema.components.schemas.EventRead.properties.changes.items.enum
}

/** Visible queries that become stale after events with these `changes`. */
async function staleKeys(changes: string[]): Promise<unknown[]> {
  const cache = new QueryClient()
  const visible = [
    keys.caseHead('1'),
    keys.findings('1'),
    keys.similar('1', 3),
    keys.timeline('1'),
    keys.facts('1', 'kernel.release'),
    [...keys.hosts('1'), 'outlier'],
    keys.timeline('2'),
  ]
  for (const key of visible) cache.setQueryData(key, {})
  await Promise.all(changedKeys('1', changes).map((queryKey) => cache.invalidateQueries({ queryKey })))
  return visible.filter((key) => cache.getQueryState(key)?.isInvalidated)
}

describe('changes of an event', () => {
  it('cover every resource of the API', () => {
    const names = resources()
    expect(names).toContain('similar')
    expect(names.filter((name) => changedKeys('1', [name]).some((key) => key.length === 2))).toEqual([])
  })

  it('invalidate only the changed resources', async () => {
    expect(await staleKeys(['timeline'])).toEqual([keys.timeline('1')])
    expect(await staleKeys(['facts', 'hosts'])).toEqual([keys.facts('1', 'kernel.release'), [...keys.hosts('1'), 'outlier']])
  })

  it('never invalidate similar cases: their key contains the revision', async () => {
    expect(await staleKeys(resources())).not.toContainEqual(keys.similar('1', 3))
  })

  it('invalidate the whole case if a resource is unknown', async () => {
    expect(changedKeys('1', ['timeline', 'of-tomorrow'])).toEqual([keys.case('1')])
    expect(changedKeys('1', ['constructor'])).toEqual([keys.case('1')])
  })
})

describe('urgentChanges', () => {
  it('are of the first screen while many files are read, with the graph and the analyses from time to time', () => {
    const changes = ['captures', 'case', 'findings', 'profiles']
    expect(urgentChanges(changes, false)).toEqual(['case', 'findings'])
    expect(urgentChanges(changes, true)).toEqual(['case', 'findings', 'profiles'])
  })

  it('include what is unknown', () => {
    expect(urgentChanges(['of-tomorrow'], false)).toEqual(['of-tomorrow'])
  })
})

describe('readEvent', () => {
  it('reads the changes and the time of an event', () => {
    expect(readEvent('{"kind": "note.written", "at": "2026-11-23T10:00:00Z", "changes": ["timeline"]}')).toEqual({ changes: ['timeline'], at: Date.UTC(2026, 10, 23, 10) })
  })

  it('has no changes without a valid list', () => {
    expect(['{"kind": "note.written"}', '{"changes": [1]}', '{half', '1'].map((data) => readEvent(data).changes)).toEqual([undefined, undefined, undefined, undefined])
  })
})

describe('seenUntil', () => {
  const answered = 'Mon, 23 Nov 2026 10:00:20 GMT'

  it('is well before the first request of the page, by the clock of the server', () => {
    expect(seenUntil(answered, 3_000)).toBe(Date.UTC(2026, 10, 23, 10, 0, 2))
  })

  it('has seen nothing without a date', () => {
    expect(seenUntil(null, 3_000)).toBe(-Infinity)
  })
})
