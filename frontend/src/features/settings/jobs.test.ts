import { expect, it } from 'vitest'
import { age, jobs, workOf } from './jobs'

it('names the work of a job, and a kind that it does not know as it is', () => {
  expect([workOf({ kind: 'evidence.read' }), workOf({ kind: 'sent.later' })]).toEqual(['Reading', 'sent.later'])
})

it('states an age in its largest fitting unit', () => {
  expect([0.4, 119, 120, 7199, 7200, 90_000].map(age)).toEqual(['0 s', '119 s', '2 min', '120 min', '2.0 h', '25.0 h'])
})

it('counts jobs', () => {
  expect([1, 1204].map(jobs)).toEqual(['1 job', '1,204 jobs'])
})
