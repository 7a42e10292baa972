import { fireEvent, render, screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import type { Case } from '../../api'
import { TitleEditor } from './TitleEditor'

const head = { title: 'db7 stalls', version: 'first' } as Case

function edit(title: string, onSave = vi.fn()) {
  const { rerender } = render(<TitleEditor head={head} isSaving={false} onSave={onSave} />)
  fireEvent.click(screen.getByText('db7 stalls'))
  fireEvent.change(screen.getByLabelText('Title of the case'), { target: { value: title } })
  rerender(<TitleEditor head={{ ...head, title: 'by somebody else', version: 'second' }} isSaving={false} onSave={onSave} />)
  return onSave
}

it('saves the new title against the version that editing started from', () => {
  const onSave = edit(' db7 reclaims ')
  fireEvent.click(screen.getByText('Save'))
  expect(onSave).toHaveBeenCalledWith(head, 'db7 reclaims')
})

it('does not save an empty title', () => {
  const onSave = edit('   ')
  fireEvent.click(screen.getByText('Save'))
  expect(onSave).not.toHaveBeenCalled()
  expect(screen.getByText('by somebody else')).toBeTruthy()
})
