import { expect, it } from 'vitest'
import { problemFrom, unreachable } from './problem'

it('shows the error detail of the server', () => {
  const problem = problemFrom({ title: 'Too large', detail: 'upload is larger than 2 GB', code: 'TooLargeError' }, 413)
  expect([problem.message, problem.code, problem.status]).toEqual(['Upload is larger than 2 GB.', 'TooLargeError', 413])
})

it('shows the status when the body is not a problem document', () => {
  expect(problemFrom('<html>Bad Gateway</html>', 502).message).toBe('The server responded with status 502 and no details.')
})

it('is retryable if the server is unreachable or sends Retry-After', () => {
  const problems = [unreachable(), problemFrom({}, 503), problemFrom({}, 429, 7), problemFrom({}, 429), problemFrom({}, 404)]
  expect(problems.map((problem) => problem.isRetryable)).toEqual([true, true, true, false, false])
})
