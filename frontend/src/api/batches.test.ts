import { expect, it } from 'vitest'
import { BATCH_FILE_BYTES, nextBatch } from './batches'

const files = (count: number, sizeBytes: number) => Array.from({ length: count }, (_, at) => ({ path: `${at}.txt`, sizeBytes }))

it('sends many small files in few requests', () => {
  let left = files(87, 20_000)
  let requests = 0
  for (let batch = nextBatch(left); batch.length > 0; batch = nextBatch(left)) {
    left = left.filter((file) => !batch.includes(file))
    requests++
  }
  expect([requests, left.length]).toEqual([3, 0])
})

it('limits the bytes of a batch', () => {
  expect(nextBatch(files(32, BATCH_FILE_BYTES))).toHaveLength(16)
})

it('leaves large, empty and single files to resumable uploads', () => {
  expect(nextBatch([...files(2, BATCH_FILE_BYTES + 1), ...files(2, 0), ...files(1, 9)])).toEqual([])
})

it('leaves names that a form would escape to resumable uploads', () => {
  const named = ['a.txt', 'a "b".txt', 'b.txt'].map((path) => ({ path, sizeBytes: 9 }))
  expect(nextBatch(named).map(({ path }) => path)).toEqual(['a.txt', 'b.txt'])
})
