import { expect, it } from 'vitest'
import type { StoryContent } from '../../api'
import { compareLines, draftKey, type DraftStorage, isSame, loadDraft, storeDraft } from './draftStorage'

const content: StoryContent = { title: 'Ping', area: 'mm', symptoms: ['ping spikes'], signatures: [], cases: [4], fix: '', text: 'It began.' }

function memoryStorage(): DraftStorage {
  const entries = new Map<string, string>()
  return { getItem: (key) => entries.get(key) ?? null, setItem: (key, value) => void entries.set(key, value), removeItem: (key) => void entries.delete(key) }
}

it('stores a draft with its base version until it is removed', () => {
  const storage = memoryStorage()
  const key = draftKey('kim', '4')
  expect(storeDraft(key, { version: 3, content }, storage)).toBe(true)
  expect(loadDraft(key, storage)).toEqual({ version: 3, content })
  expect(loadDraft(draftKey('lou', '4'), storage)).toBeNull()
  storeDraft(key, null, storage)
  expect(loadDraft(key, storage)).toBeNull()
})

it.each(['', 'null', '{', '{"version":1}', '{"version":1,"content":{"text":"a"}}', '[]'])('ignores invalid content %j', (raw) => {
  const storage = memoryStorage()
  storage.setItem('k', raw)
  expect(loadDraft('k', storage)).toBeNull()
})

it('reports a storage failure', () => {
  const full: DraftStorage = { ...memoryStorage(), setItem: () => { throw new DOMException('full', 'QuotaExceededError') } }
  expect(storeDraft('k', { version: 1, content }, full)).toBe(false)
})

it('compares all fields of a draft', () => {
  expect(isSame(content, { ...content, symptoms: ['ping spikes'] })).toBe(true)
  expect(isSame(content, { ...content, symptoms: [] })).toBe(false)
})

it('marks lines that the other text lacks', () => {
  expect(compareLines('a\n\nb', 'a\nc')).toEqual([
    { line: 'a', isOwn: false },
    { line: '', isOwn: false },
    { line: 'b', isOwn: true },
  ])
})
