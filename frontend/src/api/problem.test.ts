import { expect, it } from 'vitest'
import { problemFrom, unreachable } from './problem'

it('shows the sentence of the server', () => {
  const problem = problemFrom({ title: 'Too large', detail: 'upload is larger than 2 GB', code: 'TooLargeError' }, 413)
  expect([problem.message, problem.code, problem.status]).toEqual(['Upload is larger than 2 GB.', 'TooLargeError', 413])
})

it('says the status when a proxy in between answers with something else', () => {
  expect(problemFrom('<html>Bad Gateway</html>', 502).message).toBe('The server answered 502 without a reason.')
})

it('is worth another try when the server was not reached or said when to come again', () => {
  const tries = [unreachable(), problemFrom({}, 503), problemFrom({}, 429, 7), problemFrom({}, 429), problemFrom({}, 404)]
  expect(tries.map((problem) => problem.isWorthAnotherTry)).toEqual([true, true, true, false, false])
})
