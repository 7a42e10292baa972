import { expect, it } from 'vitest'
import { type Drafts, draftKey, keepDraft, loadDraft } from './draft'

function shelf(): Drafts & { size: () => number } {
  const kept = new Map<string, string>()
  return { getItem: (key) => kept.get(key) ?? null, setItem: (key, text) => void kept.set(key, text), removeItem: (key) => void kept.delete(key), size: () => kept.size }
}

it('keeps what was typed until it is saved', () => {
  const drafts = shelf()
  const key = draftKey('a1', 'c1', '')
  keepDraft(key, 'limit rai', '', drafts)
  expect(loadDraft(key, drafts)).toBe('limit rai')
  keepDraft(key, 'saved text', 'saved text', drafts)
  expect(loadDraft(key, drafts)).toBeNull()
  expect(drafts.size()).toBe(0)
})

it('tells drafts of people, cases and notes apart', () => {
  expect(new Set([draftKey('a', 'c', ''), draftKey('b', 'c', ''), draftKey('a', 'd', ''), draftKey('a', 'c', 'n')]).size).toBe(4)
})

it('says so when the browser keeps nothing', () => {
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
  expect(keepDraft('k', 'text', '', broken)).toBe(false)
})
