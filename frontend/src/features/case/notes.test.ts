import { expect, it } from 'vitest'
import { clauseOf, findingOf } from '../findings'
import { namesIn, notesOf } from './notes'

const at = (first_line: number, last_line = first_line) => ({ evidence_id: 'e1', evidence: 'dmesg.txt', section: 0, first_line, last_line, profile: 0, profile_id: null, nodes: [] })

it('says beside the lines of each met condition what they show', () => {
  const clauses = [clauseOf({ id: 'a', title: 'A queue hangs', citations: [at(4), at(9)] }), clauseOf({ id: 'b', title: 'The link goes down', citations: [at(4), at(20)] }), clauseOf({ id: 'c', state: 'FALSE', citations: [at(30)] })]
  const finding = findingOf({ clauses })
  expect(notesOf('e1', finding, [], null)).toEqual([
    { first: 4, last: 4, text: 'A queue hangs' },
    { first: 9, last: 9, text: '' },
    { first: 20, last: 20, text: '' },
  ])
  expect(notesOf('e1', finding, [], clauses[1] ?? null)[0]?.text).toBe('The link goes down')
  expect(notesOf('e2', finding, [], null)).toEqual([])
})

it('notes the statements of the overview where no finding is decided', () => {
  const statement = { question: 'memory' as const, kind: 'alarm' as const, text: 'Slab holds 36 %', host: '', level: 'saturation' as const, capture: '', citations: [at(26)] }
  expect(notesOf('e1', findingOf({ verdict: 'unknown' }), [statement], null)).toEqual([{ first: 26, last: 26, text: 'Slab holds 36 %' }])
})

it('finds names and numbers of the headline, the longest first', () => {
  expect(namesIn(['eth0 (0000:00:19.0) hangs: 16 errors', 'in fb_alloc/9'])).toEqual(['0000:00:19.0', 'fb_alloc/9', 'eth0'])
  expect(namesIn(['java invoked oom-killer: order=0, oom_score_adj=0', 'nvme1: I/O 775'])).toEqual(['nvme1', '775'])
})
