import { beforeEach, expect, it, vi } from 'vitest'
import { CHOOSABLE, DEFAULT_COLUMNS, moveColumn, preferColumns, preferredColumns, readColumns, writeColumns } from './columns'

beforeEach(() => localStorage.clear())

it('reads the columns of a link in their order, each once, without unknown ones', () => {
  expect(readColumns('owner,headline,owner,hots,title')).toEqual(['owner', 'headline'])
  for (const nothing of ['', 'hots', 'title', ['owner'], null, undefined]) expect(readColumns(nothing)).toBeNull()
})

it('writes what it reads, and nothing for the default', () => {
  expect(readColumns(writeColumns(['seen', 'kernel']))).toEqual(['seen', 'kernel'])
  expect(writeColumns(DEFAULT_COLUMNS)).toBeUndefined()
  expect(readColumns(CHOOSABLE.join(','))).toEqual(CHOOSABLE)
})

it('remembers the columns of a browser until they are the default again', () => {
  preferColumns(['owner', 'kernel'])
  expect(preferredColumns()).toEqual(['owner', 'kernel'])
  preferColumns(DEFAULT_COLUMNS)
  expect([preferredColumns(), localStorage.length]).toEqual([DEFAULT_COLUMNS, 0])
})

it('shows the default where storage is blocked', () => {
  vi.spyOn(Storage.prototype, 'getItem').mockImplementationOnce(() => {
    throw new DOMException('denied', 'SecurityError')
  })
  expect(preferredColumns()).toEqual(DEFAULT_COLUMNS)
})

it('moves a column, at most to an end', () => {
  expect(moveColumn(['host', 'owner', 'seen'], 'owner', 1)).toEqual(['host', 'seen', 'owner'])
  expect(moveColumn(['host', 'owner', 'seen'], 'owner', -5)).toEqual(['owner', 'host', 'seen'])
  expect(moveColumn(['host', 'owner', 'seen'], 'seen', 1)).toEqual(['host', 'owner', 'seen'])
})
