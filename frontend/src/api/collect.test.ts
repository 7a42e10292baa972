import { expect, it } from 'vitest'
import { hexDigest } from './collect'

it('writes a digest as sha256sum does', () => {
  // printf '' | sha256sum
  expect(hexDigest('sha-256=:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=:')).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855')
  expect(hexDigest(null)).toBe('')
})
