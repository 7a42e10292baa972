import { expect, it } from 'vitest'
import { type Drafts, draftKey, storeDraft, loadDraft } from './draft'

function memoryStorage(): Drafts & { size: () => number } {
  const entries = new Map<string, string>()
  return { getItem: (key) => entries.get(key) ?? null, setItem: (key, text) => void entries.set(key, text), removeItem: (key) => void entries.delete(key), size: () => entries.size }
}

it('stores a draft until it is saved', () => {
  const drafts = memoryStorage()
  const key = draftKey('a1', 'c1', '')
  storeDraft(key, 'limit rai', '', drafts)
  expect(loadDraft(key, drafts)).toBe('limit rai')
  storeDraft(key, 'saved text', 'saved text', drafts)
  expect(loadDraft(key, drafts)).toBeNull()
  expect(drafts.size()).toBe(0)
})

it('uses one key per account, case and note', () => {
  expect(new Set([draftKey('a', 'c', ''), draftKey('b', 'c', ''), draftKey('a', 'd', ''), draftKey('a', 'c', 'n')]).size).toBe(4)
})

it('reports unavailable storage', () => {
  const broken: Drafts = {
    getItem: () => {
      throw new Error('blocked')
    },
    setItem: () => {
      throw new Error('full')
    },
    removeItem: () => undefined,
  }
  expect(loadDraft('k', broken)).toBeNull()
  expect(storeDraft('k', 'text', '', broken)).toBe(false)
})
