import { notifyManager } from '@tanstack/react-query'

/** One frame: answers within it are rendered together. */
const GATHER_MS = 16

/** Render once for all answers that arrive within a frame: a case page asks for thirty, and each would render it. */
export function gatherAnswers(): void {
  let waiting: (() => void)[] = []
  notifyManager.setScheduler((callback) => {
    if (waiting.push(callback) > 1) return
    setTimeout(() => {
      const callbacks = waiting
      waiting = []
      for (const call of callbacks) call()
    }, GATHER_MS)
  })
}
