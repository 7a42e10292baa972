import { fireEvent, render, screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { TitleEditor } from './TitleEditor'

function edit(title: string, onSave = vi.fn()) {
  render(<TitleEditor title="db7 stalls" isSaving={false} onSave={onSave} />)
  fireEvent.click(screen.getByText('db7 stalls'))
  fireEvent.change(screen.getByLabelText('Title of the case'), { target: { value: title } })
  return onSave
}

it('saves a new title', () => {
  const onSave = edit(' db7 reclaims ')
  fireEvent.click(screen.getByText('Save'))
  expect(onSave).toHaveBeenCalledWith('db7 reclaims')
})

it('leaves the title as it was on Escape, and when nothing is left of it', () => {
  const onSave = edit('   ')
  fireEvent.click(screen.getByText('Save'))
  expect(onSave).not.toHaveBeenCalled()
  expect(screen.getByText('db7 stalls')).toBeTruthy()
})
