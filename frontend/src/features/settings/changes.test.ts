import { expect, it } from 'vitest'
import { changeCounts, changeWord, selectionWords, workWords } from './changes'

it('counts changes, the most important first, without those that nothing has', () => {
  expect(changeCounts({ changes: { none: 12, headline: 0, lost_match: 2, suspect_to_match: 1 } })).toEqual([
    ['Lost match', 2],
    ['Suspect → match', 1],
    ['None', 12],
  ])
  expect(changeWord('failed')).toBe('Failed')
})

it('says what there is to do, and nothing when there is nothing', () => {
  expect(workWords({ cases: 1204, files: 1, file_bytes: 2_100_000_000, drafts: 3 })).toBe('1,204 cases, 1 file (2.1 GB) and 3 drafts')
  expect(workWords({ cases: 1, files: 0, file_bytes: 0, drafts: 0 })).toBe('1 case')
  expect(workWords({ cases: 0, files: 0, file_bytes: 0, drafts: 0 })).toBe('')
})

it('names what a run is for', () => {
  expect(selectionWords({ takes_all: false, since: null, until: null, case_number: null })).toBe('outdated')
  expect(selectionWords({ takes_all: true, since: '2026-01-02T00:00:00Z', until: null, case_number: 7 })).toBe('all, case 7, since 2026-01-02')
})
