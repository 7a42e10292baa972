import { fireEvent, render, screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { Chain } from './Chain'

const nodeOf = (text: string, line: number, edge = 'then') => ({ text, edge, citation: { evidence: 'dmesg.txt', evidence_id: 'e1', section: 0, first_line: line, last_line: line } })
const CHAIN = [nodeOf('NVMe command timeout on nvme0', 1, ''), nodeOf('NVMe controller removed', 2), nodeOf('Remounted read-only', 4)]

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
  expect(screen.getByRole('list').textContent).toBe('NVMe command timeout on nvme0→NVMe controller removed→Remounted read-only')
})

it('is nothing where one thing happened', () => {
  render(<Chain chain={[]} onShow={vi.fn<(evidence: string, line: number) => void>()} />)
  expect(screen.queryByRole('list')).toBeNull()
})
