import { expect, it } from 'vitest'
import type { StoryContent } from '../../api'
import { isSame, keep, keptKey, loadKept, marked, type Shelf } from './kept'

const content: StoryContent = { title: 'Ping', area: 'mm', symptoms: ['ping spikes'], signatures: [], cases: [4], fix: '', text: 'It began.' }

function shelf(): Shelf {
  const kept = new Map<string, string>()
  return { getItem: (key) => kept.get(key) ?? null, setItem: (key, value) => void kept.set(key, value), removeItem: (key) => void kept.delete(key) }
}

it('keeps what was typed with the version it was begun from, until it is forgotten', () => {
  const on = shelf()
  const key = keptKey('kim', '4')
  expect(keep(key, { version: 3, content }, on)).toBe(true)
  expect(loadKept(key, on)).toEqual({ version: 3, content })
  expect(loadKept(keptKey('lou', '4'), on)).toBeNull()
  keep(key, null, on)
  expect(loadKept(key, on)).toBeNull()
})

it.each(['', 'null', '{', '{"version":1}', '{"version":1,"content":{"text":"a"}}', '[]'])('takes %j for nothing', (written) => {
  const on = shelf()
  on.setItem('k', written)
  expect(loadKept('k', on)).toBeNull()
})

it('says when the browser keeps nothing', () => {
  const full: Shelf = { ...shelf(), setItem: () => { throw new DOMException('full', 'QuotaExceededError') } }
  expect(keep('k', { version: 1, content }, full)).toBe(false)
})

it('knows the same draft by all that it says', () => {
  expect(isSame(content, { ...content, symptoms: ['ping spikes'] })).toBe(true)
  expect(isSame(content, { ...content, symptoms: [] })).toBe(false)
})

it('marks the lines that only one of two texts has', () => {
  expect(marked('a\n\nb', 'a\nc')).toEqual([
    { line: 'a', isOwn: false },
    { line: '', isOwn: false },
    { line: 'b', isOwn: true },
  ])
})
