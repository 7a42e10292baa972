import { expect, it } from 'vitest'
import type { UploadRead } from '../../api'
import { mismatch, progressText, timeLeft } from './labels'

it('formats bytes, rate and time left', () => {
  expect(progressText(312 * 2 ** 20, 900 * 2 ** 20, 4 * 2 ** 20)).toBe('312 MiB of 900 MiB · 4.0 MiB/s · 2 min 27 s left')
  expect(progressText(0, 2 ** 20, 0)).toBe('0 B of 1.0 MiB')
  expect(timeLeft(3 * 3600, 1)).toBe('3 h 0 min left')
  expect(timeLeft(30, 1)).toBe('30 s left')
})

it('explains why a file cannot resume an upload', () => {
  const upload = { size_bytes: 3, fingerprint: '3:1000' } as UploadRead
  expect(mismatch(new File(['abc'], 'a', { lastModified: 1000 }), upload)).toBe('')
  expect(mismatch(new File(['abcd'], 'a', { lastModified: 1000 }), upload)).toContain('a has 4 bytes; the unfinished upload has 3')
  expect(mismatch(new File(['abc'], 'a', { lastModified: 2000 }), upload)).toContain('was changed')
})
