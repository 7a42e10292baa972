import { fireEvent, render, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import type { Sending } from '../../api'
import { SendingRows } from './SendingRows'

const sending = (key: string, change: Partial<Sending> = {}): Sending => ({
  key, caseNumber: 1, uploadId: null, path: `${key}.txt`, sizeBytes: 100, sentBytes: 0, bytesPerSecond: 0, stage: 'sending', reason: '', ...change,
})
const nothing = () => undefined
const show = (sendings: readonly Sending[]) => {
  render(<SendingRows sendings={sendings} onPause={nothing} onResume={nothing} onCancel={nothing} />)
}
const paths = () => screen.queryAllByTestId('sending-row').map((row) => row.dataset.path)

it('shows many files as one bar, with the stopped and the large ones', () => {
  const small = Array.from({ length: 58 }, (_, at) => sending(`s${at}`))
  show([...small, sending('stopped', { stage: 'stopped' }), sending('large', { sizeBytes: 2 ** 30 }), sending('next', { sizeBytes: 2 ** 30, stage: 'waiting' })])
  expect(screen.getByRole('status').textContent).toContain('61 files')
  expect(paths()).toEqual(['stopped.txt', 'large.txt'])
  fireEvent.click(screen.getByRole('button', { name: 'Show files' }))
  expect(paths()).toHaveLength(61)
})

it('shows a single file as a row', () => {
  show([sending('one')])
  expect(paths()).toEqual(['one.txt'])
  expect(screen.queryByRole('progressbar', { name: 'All files' })).toBeNull()
})
