import { describe, expect, it } from 'vitest'
import { continued, fingerprintOf, folderOf, inOrder } from './drops'
import type { UploadRead } from './types'

const file = (name: string, content: string, lastModified: number) => ({ file: new File([content], name, { lastModified }), path: name })

const waiting = (of: { file: File; path: string }, some: Partial<UploadRead> = {}): UploadRead => ({
  id: 'u',
  case_id: 'c',
  case_number: 12,
  filename: of.path.split('/').at(-1) ?? '',
  captured_path: of.path.includes('/') ? of.path : '',
  fingerprint: fingerprintOf(of.file),
  size_bytes: of.file.size,
  offset_bytes: 1,
  state: 'sending',
  evidence_id: null,
  updated_at: '',
  expires_at: '',
  ...some,
})

describe('a file continues an upload', () => {
  const dropped = file('perf.script', 'abc', 1000)

  it('when place, length and time of change are the same', () => {
    expect(continued(dropped, [waiting(file('other', 'abc', 1000)), waiting(dropped)])?.case_number).toBe(12)
  })

  it('not when it was changed, lies elsewhere, or has arrived', () => {
    expect(continued(file('perf.script', 'abc', 2000), [waiting(dropped)])).toBeUndefined()
    expect(continued({ ...dropped, path: 'db7/perf.script' }, [waiting(dropped)])).toBeUndefined()
    expect(continued(dropped, [waiting(dropped, { state: 'sent' })])).toBeUndefined()
  })
})

it('sends small files before large ones', () => {
  expect(inOrder([file('perf.script', 'x'.repeat(9), 0), file('dmesg', 'xx', 0)]).map(({ path }) => path)).toEqual(['dmesg', 'perf.script'])
})

it('names the folder that all files are below, and none when one is loose', () => {
  expect(folderOf(['db7/dmesg', 'db7/proc/vmstat'])).toBe('db7')
  expect(folderOf(['db7/dmesg', 'db8/dmesg'])).toBe('')
  expect(folderOf(['db7/dmesg', 'x'])).toBe('')
})
