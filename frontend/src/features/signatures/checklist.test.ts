import { expect, it } from 'vitest'
import { conclude, stepsOf } from './checklist'
import { readDocument } from './document'

const { clauses, decide } = readDocument({
  clauses: [
    { id: 'full', title: 'The table is full', role: 'core', weight: 4 },
    { id: 'drops', title: 'Packets are dropped', role: 'corroborates', weight: 1 },
    { id: 'queue', title: 'A queue overflows', role: 'rival', weight: 2, ruled_out_by: ['drops'] },
    { id: 'other', title: 'Another system', role: 'rival', weight: 0, veto: true },
    { id: 'note', title: 'A remark', role: 'context', weight: 0 },
  ],
  decide: { require: { all: ['full'], any: [] }, suspect: { score: 2 }, match: { score: 3, all: ['full'], any: [] } },
})

it('asks for the signs, then for alternatives, and leaves out what decides nothing', () => {
  expect(stepsOf(clauses).map((step) => [step.title, step.clauses.map((clause) => clause.id)])).toEqual([
    ['Signs', ['full']],
    ['Alternatives to rule out', ['queue', 'other']],
    ['Supports it', ['drops']],
  ])
})

it('says what to look at next until the answers decide', () => {
  expect(conclude(clauses, decide, {}).text).toBe('Look next at “The table is full”.')
  expect(conclude(clauses, decide, { full: 'yes' })).toEqual({ verdict: 'suspect', text: 'Rule out “A queue overflows”.' })
  expect(conclude(clauses, decide, { full: 'yes', queue: 'no', other: 'no' }).verdict).toBe('match')
  expect(conclude(clauses, decide, { full: 'yes', drops: 'yes', other: 'no' }).verdict).toBe('match')
  expect(conclude(clauses, decide, { full: 'no', drops: 'yes' }).text).toBe('Not this: it needs “The table is full”.')
  expect(conclude(clauses, decide, { full: 'yes', other: 'yes' }).verdict).toBe('no_match')
  expect(conclude(clauses, decide, { drops: 'yes' }).verdict).toBe('unknown')
  const oneOf = { ...decide, suspect: { ...decide.suspect, any: ['drops'] } }
  expect(conclude(clauses, oneOf, { full: 'yes' }).verdict).toBe('unknown')
  expect(conclude(clauses, oneOf, { full: 'yes', drops: 'yes' }).verdict).toBe('suspect')
})
