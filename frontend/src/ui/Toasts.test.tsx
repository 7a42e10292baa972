import { act, fireEvent, render, screen } from '@testing-library/react'
import { StrictMode } from 'react'
import { expect, it, vi } from 'vitest'
import { ToastProvider, useToast } from './Toasts'

function Actions({ onUndo, onFinish }: { onUndo: () => void; onFinish?: () => void }) {
  const show = useToast()
  return (
    <>
      <button type="button" onClick={() => show('Copied')}>
        copy
      </button>
      <button type="button" onClick={() => show('Moved', { undo: onUndo, finish: onFinish })}>
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

it('finishes once what was not undone, when its toast has gone or was replaced', () => {
  vi.useFakeTimers()
  try {
    const onUndo = vi.fn<() => void>()
    const onFinish = vi.fn<() => void>()
    render(
      <StrictMode>
        <ToastProvider>
          <Actions onUndo={onUndo} onFinish={onFinish} />
        </ToastProvider>
      </StrictMode>,
    )
    fireEvent.click(screen.getByText('move'))
    later(29)
    expect(onFinish).not.toHaveBeenCalled()
    later(2)
    expect(onFinish).toHaveBeenCalledOnce()
    fireEvent.click(screen.getByText('move'))
    fireEvent.click(screen.getByRole('button', { name: 'Undo' }))
    later(60)
    expect([onUndo.mock.calls.length, onFinish.mock.calls.length]).toEqual([1, 1])
    fireEvent.click(screen.getByText('move'))
    fireEvent.click(screen.getByRole('button', { name: 'Dismiss' }))
    expect(onFinish).toHaveBeenCalledTimes(2)
    fireEvent.click(screen.getByText('move'))
    for (let copies = 0; copies < 4; copies++) fireEvent.click(screen.getByText('copy'))
    expect(onFinish).toHaveBeenCalledTimes(3)
  } finally {
    vi.useRealTimers()
  }
})
