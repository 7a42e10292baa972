import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { isPaste, MAX_PASTE_CHARS, namesKernel, packPaste, readLibrarySearch, requestOf, textOf, unpackPaste } from './search'

const STACK = readFileSync(join(import.meta.dirname, '../../../../tests/data/published/vanishing-cpu/stack.shrink_lruvec.txt'), 'utf8')

it('reads URL parameters and ignores invalid values', () => {
  expect(readLibrarySearch({ q: 137, fix: true, area: 'mm', kind: 'novel', verdict: 'maybe', kernel: '' })).toEqual({ q: '137', fix: 'true', area: 'mm' })
})

it('builds the API request from the URL parameters', () => {
  expect(requestOf('ps hangs', { area: 'mm', fix: 'false', verdict: 'affected' })).toEqual({ text: 'ps hangs', area: 'mm', has_fix: false })
  expect(requestOf('ps hangs', { weak: 'true', shelf: 'symptom' })).toEqual({ text: 'ps hangs', weak: true })
  expect(requestOf('', { kernel: '6.1', verdict: 'affected' })).toEqual({ text: '', kernel: '6.1', kernel_verdict: 'affected' })
})

it('reads the start of a text file and rejects binary files', async () => {
  expect(await textOf(new Blob([STACK]))).toBe(STACK)
  expect(await textOf(new Blob(['é'.repeat(MAX_PASTE_CHARS)]))).toMatch(/^é{99999}/)
  expect(await textOf(new Blob([new Uint8Array([0x1f, 0x8b, 8, 0, 255])]))).toBeUndefined()
  expect(await textOf(new Blob([' \n']))).toBeUndefined()
})

it('takes a text for a kernel if it contains nothing else', () => {
  expect(namesKernel([{ format: 'os-release' }])).toBe(true)
  expect(namesKernel([{ format: 'kernel-version' }, { format: 'perf-script' }])).toBe(false)
  expect(namesKernel([])).toBe(false)
})

it('distinguishes a paste from search words', () => {
  expect(isPaste('ps aux hangs\n')).toBe(false)
  expect(isPaste(STACK)).toBe(true)
})

it('round-trips a paste through a compressed URL fragment', async () => {
  const hash = await packPaste(STACK)
  expect(hash).toMatch(/^paste=[\w-]+$/)
  expect(hash.length).toBeLessThan(STACK.length)
  expect(await unpackPaste(`#${hash}`)).toBe(STACK)
})

it('ignores an invalid fragment and limits the size of the paste', async () => {
  expect(await unpackPaste('#paste=%%%')).toBe('')
  expect(await unpackPaste('#elsewhere')).toBe('')
  expect(await unpackPaste(`#${await packPaste('a\n'.repeat(4 * MAX_PASTE_CHARS))}`)).toHaveLength(MAX_PASTE_CHARS)
})
