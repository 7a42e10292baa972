import { expect, test } from 'vitest'
import { isKernelLine } from './kernelLine'

const evidence = { sections: [{ format: 'vmstat', first_line: 1, last_line: 4 }, { format: 'kernel-log', first_line: 5, last_line: 9 }] } as Parameters<typeof isKernelLine>[0]

test('lines of a kernel log are explained, and no lines of other sections', () => {
  expect([1, 4, 5, 9, 10].map((line) => isKernelLine(evidence, line))).toEqual([false, false, true, true, false])
})
