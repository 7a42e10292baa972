import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { askOf, isPaste, LONGEST_PASTE, packed, readLibrarySearch, textOf, unpacked } from './search'

const STACK = readFileSync(join(import.meta.dirname, '../../../../tests/data/published/vanishing-cpu/stack.shrink_lruvec.txt'), 'utf8')

it('reads an address, and leaves out what makes no sense', () => {
  expect(readLibrarySearch({ q: 137, fix: true, area: 'mm', kind: 'novel', verdict: 'maybe', kernel: '' })).toEqual({ q: '137', fix: 'true', area: 'mm' })
})

it('asks the server for what the address says', () => {
  expect(askOf('ps hangs', { area: 'mm', fix: 'false', verdict: 'affected' })).toEqual({ text: 'ps hangs', area: 'mm', has_fix: false })
  expect(askOf('', { kernel: '6.1', verdict: 'affected' })).toEqual({ text: '', kernel: '6.1', kernel_verdict: 'affected' })
})

it('asks with the beginning of a dropped file, and not with one that holds no text', async () => {
  expect(await textOf(new Blob([STACK]))).toBe(STACK)
  expect(await textOf(new Blob(['é'.repeat(LONGEST_PASTE)]))).toMatch(/^é{99999}/)
  expect(await textOf(new Blob([new Uint8Array([0x1f, 0x8b, 8, 0, 255])]))).toBeUndefined()
  expect(await textOf(new Blob([' \n']))).toBeUndefined()
})

it('tells a paste from words', () => {
  expect(isPaste('ps aux hangs\n')).toBe(false)
  expect(isPaste(STACK)).toBe(true)
})

it('brings a paste through an address unchanged, smaller than it was', async () => {
  const hash = await packed(STACK)
  expect(hash).toMatch(/^paste=[\w-]+$/)
  expect(hash.length).toBeLessThan(STACK.length)
  expect(await unpacked(`#${hash}`)).toBe(STACK)
})

it('takes nothing from an address that was cut off or made up, and never more than a paste may hold', async () => {
  expect(await unpacked('#paste=%%%')).toBe('')
  expect(await unpacked('#elsewhere')).toBe('')
  expect(await unpacked(`#${await packed('a\n'.repeat(4 * LONGEST_PASTE))}`)).toHaveLength(LONGEST_PASTE)
})
