import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { admitsNothing, filterWords, KINDS, stateOf } from './webhooks'

const ALL = { kinds: [], severity: null, team_id: null, team: null, search_id: null, search: null }

test('the form offers the kinds of events that the API accepts', () => {
  const schema = JSON.parse(readFileSync(join(process.cwd(), 'openapi.json'), 'utf8')) as {
    components: { schemas: { DestinationCreate: { properties: { kinds: { items: { enum: string[] } } } } } }
  }
  const kinds = schema.components.schemas.DestinationCreate.properties.kinds.items.enum
  expect(KINDS.map(({ kind }) => kind).toSorted()).toEqual(kinds.toSorted())
})

test('filters are shown in words, also those that refer to what is gone', () => {
  expect(filterWords(ALL)).toBe('all events')
  const narrow = { ...ALL, kinds: ['case.created'], severity: 'high', search_id: 'x', search: 'mine' }
  expect(filterWords(narrow)).toBe('case opened · severity high or above · search “mine”')
  expect(admitsNothing(narrow)).toBe(false)
  expect(admitsNothing({ ...narrow, search: null })).toBe(true)
})

test('a delivery shows how often it was tried', () => {
  expect(stateOf({ state: 'pending', attempts: 0 })).toBe('waiting')
  expect(stateOf({ state: 'pending', attempts: 3 })).toBe('waiting, 3 attempts')
  expect(stateOf({ state: 'delivered', attempts: 1 })).toBe('delivered')
})
