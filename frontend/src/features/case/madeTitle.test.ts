import { expect, it } from 'vitest'
import { isMadeTitle } from './madeTitle'

const files = [{ filename: 'logs/dmesg.txt', captured_path: '' }]

it('knows titles made of names of files', () => {
  for (const title of ['', 'dmesg.txt', 'logs/dmesg.txt', 'dmesg.txt and 4 more files', 'db7 (12 files)']) expect(isMadeTitle(title, files)).toBe(true)
})

it('keeps what a person wrote', () => {
  for (const title of ['db7 stalls', 'dmesg of db7', '12 files of db7']) expect(isMadeTitle(title, files)).toBe(false)
})
