import { act, fireEvent, render, screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { ToastProvider, useToast } from './Toasts'

function Actions({ onUndo }: { onUndo: () => void }) {
  const show = useToast()
  return (
    <>
      <button type="button" onClick={() => show('Copied')}>
        copy
      </button>
      <button type="button" onClick={() => show('Moved', { undo: onUndo })}>
        move
      </button>
    </>
  )
}

const later = (seconds: number) => act(() => void vi.advanceTimersByTime(seconds * 1000))

it('keeps what can be undone longer than news, and as long as the pointer or the focus is on it', () => {
  vi.useFakeTimers()
  try {
    const onUndo = vi.fn<() => void>()
    render(
      <ToastProvider>
        <Actions onUndo={onUndo} />
      </ToastProvider>,
    )
    fireEvent.click(screen.getByText('copy'))
    fireEvent.click(screen.getByText('move'))
    later(10)
    expect(screen.getByRole('status').textContent).toBe('MovedUndo×')
    fireEvent.pointerEnter(screen.getByText('Moved'))
    later(600)
    fireEvent.click(screen.getByRole('button', { name: 'Undo' }))
    expect(onUndo).toHaveBeenCalledOnce()
    expect(screen.getByRole('status').textContent).toBe('')

    fireEvent.click(screen.getByText('move'))
    fireEvent.focus(screen.getByRole('button', { name: 'Undo' }))
    later(600)
    fireEvent.blur(screen.getByRole('button', { name: 'Undo' }))
    later(60)
    expect(screen.getByRole('status').textContent).toBe('')
    fireEvent.click(screen.getByText('move'))
    fireEvent.click(screen.getByRole('button', { name: 'Dismiss' }))
    expect(screen.getByRole('status').textContent).toBe('')
    expect(onUndo).toHaveBeenCalledOnce()
  } finally {
    vi.useRealTimers()
  }
})
