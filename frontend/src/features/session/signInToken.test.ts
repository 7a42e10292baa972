import { expect, it } from 'vitest'
import { tokenIn } from './signInToken'

it.each([
  ['http://127.0.0.1:8765/sign-in?token=abc', 'abc'],
  [' abc ', 'abc'],
  ['/sign-in?token=abc', 'abc'],
  ['http://[token=abc', 'http://[token=abc'],
  ['http://db7/sign-in?next=%2F&token=abc#top', 'abc'],
])('finds the token in %s', (typed, token) => {
  expect(tokenIn(typed)).toBe(token)
})
