import { expect, it } from 'vitest'
import type { HandoffFile } from '../../api'
import { citationIn, parted } from './citations'

const file = (number: number, name: string) => ({ number, name }) as HandoffFile

it('ends the first screen before the conditions', () => {
  expect(parted('# Case\n\nCase 1\n\n## Lead\n\n- a\n\n## Why\n\n| b |\n')).toEqual({ first: 'Case 1\n\n## Lead\n\n- a\n\n', rest: '## Why\n\n| b |\n' })
  expect(parted('# Case\n\nolder')).toEqual({ first: 'older', rest: '' })
})

it('finds the file and the first line of a citation, unless two files have the name', () => {
  const files = [file(1, 'proc/meminfo'), file(2, 'dmesg.txt'), file(3, 'dmesg.txt')]
  expect(citationIn('proc/meminfo:12-14', files)).toEqual({ file: files[0], line: 12 })
  expect(citationIn('dmesg.txt:1', files)).toBeUndefined()
  expect(citationIn('sysctl vm.swappiness', files)).toBeUndefined()
})
