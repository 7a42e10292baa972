import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { QueryClient } from '@tanstack/react-query'
import { describe, expect, it } from 'vitest'
import { changedKeys, changesOf } from './caseEvents'
import { keys } from './keys'

/** What the API says that an event may change. */
function resources(): string[] {
  const schema = JSON.parse(readFileSync(join(process.cwd(), 'openapi.json'), 'utf8')) as {
    components: { schemas: { EventRead: { properties: { changes: { items: { enum: string[] } } } } } }
  }
  return schema.components.schemas.EventRead.properties.changes.items.enum
}

/** Queries that are outdated once events say that they changed `changes`, out of those a page shows. */
async function outdated(changes: string[]): Promise<unknown[]> {
  const cache = new QueryClient()
  const shown = [
    keys.caseHead('1'),
    keys.findings('1'),
    keys.similar('1', 3),
    keys.timeline('1'),
    keys.facts('1', 'kernel.release'),
    [...keys.hosts('1'), 'outlier'],
    keys.timeline('2'),
  ]
  for (const key of shown) cache.setQueryData(key, {})
  await Promise.all(changedKeys('1', changes).map((queryKey) => cache.invalidateQueries({ queryKey })))
  return shown.filter((key) => cache.getQueryState(key)?.isInvalidated)
}

describe('what an event changed', () => {
  it('is known for everything that the API names', () => {
    const names = resources()
    expect(names).toContain('similar')
    expect(names.filter((name) => changedKeys('1', [name]).some((key) => key.length === 2))).toEqual([])
  })

  it('is asked again, and nothing else', async () => {
    expect(await outdated(['timeline'])).toEqual([keys.timeline('1')])
    expect(await outdated(['facts', 'hosts'])).toEqual([keys.facts('1', 'kernel.release'), [...keys.hosts('1'), 'outlier']])
  })

  it('never asks for similar cases again: a new judgement asks under a new name', async () => {
    expect(await outdated(resources())).not.toContainEqual(keys.similar('1', 3))
  })

  it('is all of the case when it is something new', async () => {
    expect(changedKeys('1', ['timeline', 'of-tomorrow'])).toEqual([keys.case('1')])
    expect(changedKeys('1', ['constructor'])).toEqual([keys.case('1')])
  })
})

describe('an event', () => {
  it('says what it changed', () => {
    expect(changesOf('{"kind": "note.written", "changes": ["timeline"]}')).toEqual(['timeline'])
  })

  it('of a server that does not say is undefined', () => {
    expect(['{"kind": "note.written"}', '{"changes": [1]}', '{half', '1'].map(changesOf)).toEqual([undefined, undefined, undefined, undefined])
  })
})
