import { describe, expect, it } from 'vitest'
import { fingerprintOf, folderOf, inOrder, resumableUpload } from './drops'
import type { UploadRead } from './types'

const file = (name: string, content: string, lastModified: number) => ({ file: new File([content], name, { lastModified }), path: name })

const uploadOf = (dropped: { file: File; path: string }, some: Partial<UploadRead> = {}): UploadRead => ({
  id: 'u',
  case_id: 'c',
  case_number: 12,
  filename: dropped.path.split('/').at(-1) ?? '',
  captured_path: dropped.path.includes('/') ? dropped.path : '',
  fingerprint: fingerprintOf(dropped.file),
  size_bytes: dropped.file.size,
  offset_bytes: 1,
  state: 'sending',
  evidence_id: null,
  updated_at: '',
  expires_at: '',
  ...some,
})

describe('a file resumes an upload', () => {
  const dropped = file('perf.script', 'abc', 1000)

  it('if path, size and modification time match', () => {
    expect(resumableUpload(dropped, [uploadOf(file('other', 'abc', 1000)), uploadOf(dropped)])?.case_number).toBe(12)
  })

  it('not if modified, at another path, or complete', () => {
    expect(resumableUpload(file('perf.script', 'abc', 2000), [uploadOf(dropped)])).toBeUndefined()
    expect(resumableUpload({ ...dropped, path: 'db7/perf.script' }, [uploadOf(dropped)])).toBeUndefined()
    expect(resumableUpload(dropped, [uploadOf(dropped, { state: 'sent' })])).toBeUndefined()
  })
})

it('sends small files before large ones', () => {
  expect(inOrder([file('perf.script', 'x'.repeat(9), 0), file('dmesg', 'xx', 0)]).map(({ path }) => path)).toEqual(['dmesg', 'perf.script'])
})

it('names the common folder of all files, if there is one', () => {
  expect(folderOf(['db7/dmesg', 'db7/proc/vmstat'])).toBe('db7')
  expect(folderOf(['db7/dmesg', 'db8/dmesg'])).toBe('')
  expect(folderOf(['db7/dmesg', 'x'])).toBe('')
})
