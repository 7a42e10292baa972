import { fireEvent, render, screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { Chain } from './Chain'

const placeOf = (line: number) => ({ evidence: 'dmesg.txt', evidence_id: 'e1', section: 0, first_line: line, last_line: line })
const nodeOf = (text: string, line: number, before?: number) => ({
  text,
  edge: before === undefined ? '' : 'then',
  citation: placeOf(line),
  relation: before === undefined ? ('' as const) : ('device' as const),
  reason: before === undefined ? '' : `same device nvme0, ${line - before} s later`,
  proof: before === undefined ? [] : [placeOf(before), placeOf(line)],
})
const CHAIN = [nodeOf('NVMe command timeout on nvme0', 1), nodeOf('NVMe controller removed', 2, 1), nodeOf('Remounted read-only', 4, 2)]

it('goes from node to node by arrow keys and shows the line of each', () => {
  const onShow = vi.fn<(evidence: string, line: number) => void>()
  render(<Chain chain={CHAIN} onShow={onShow} />)
  const first = screen.getByRole('button', { name: 'NVMe command timeout on nvme0' })
  const second = screen.getByRole('button', { name: 'NVMe controller removed' })
  first.focus()
  fireEvent.keyDown(first, { key: 'ArrowRight' })
  expect(document.activeElement).toBe(second)
  expect(onShow).toHaveBeenLastCalledWith('e1', 2)
  fireEvent.keyDown(second, { key: 'ArrowLeft' })
  expect(document.activeElement).toBe(first)
  fireEvent.keyDown(first, { key: 'ArrowLeft' })
  expect(onShow).toHaveBeenCalledTimes(2)
  fireEvent.keyDown(first, { key: 'End' })
  expect(onShow).toHaveBeenLastCalledWith('e1', 4)
  // One stop of the Tab key: the node that was looked at last.
  expect(screen.getAllByRole('button').filter(({ tabIndex }) => tabIndex === 0)).toEqual([screen.getByRole('button', { name: 'Remounted read-only' })])
})

it('shows the lines that prove an edge, one after the other, by keys and by clicks', () => {
  const onShow = vi.fn<(evidence: string, line: number) => void>()
  render(<Chain chain={CHAIN} onShow={onShow} />)
  const last = screen.getByRole('button', { name: 'Remounted read-only' })
  const edge = screen.getByRole('button', { name: 'same device nvme0, 2 s later' })
  last.focus()
  fireEvent.keyDown(last, { key: 'ArrowDown' })
  expect(document.activeElement).toBe(edge)
  fireEvent.keyDown(edge, { key: 'ArrowDown' })
  fireEvent.click(edge)
  expect(onShow.mock.calls).toEqual([['e1', 2], ['e1', 4], ['e1', 2]])
  fireEvent.keyDown(edge, { key: 'ArrowUp' })
  expect(document.activeElement).toBe(last)
})

it('is nothing where one thing happened', () => {
  render(<Chain chain={[]} onShow={vi.fn<(evidence: string, line: number) => void>()} />)
  expect(screen.queryByRole('list')).toBeNull()
})
