import { expect, it } from 'vitest'
import { hexDigest } from './collect'

it('writes a digest as sha256sum does', () => {
  const bytes = new Uint8Array(32).fill(0xa7)
  expect(hexDigest(`sha-256=:${btoa(String.fromCharCode(...bytes))}:`)).toBe('a7'.repeat(32))
  expect(hexDigest(null)).toBe('')
})
