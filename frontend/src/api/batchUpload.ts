import { sendBatch } from './batches'
import { Problem } from './problem'
import type { Entry } from './uploadEntry'
import { isTransientStatus, pauseUntilRetry } from './uploadRetry'

/**
 * Send small files of one case in one request, and again while the server cannot be reached.
 *
 * Aborting the batch of an entry returns the others to the queue. So does a rejection: each is then sent by itself,
 * so that each has its own reason.
 */
export async function sendTogether(entries: readonly Entry[], onChange: () => void): Promise<void> {
  const batch = new AbortController()
  // An entry that is paused or cancelled leaves the batch.
  const left = () => entries.filter((entry) => entry.batch === batch)
  const change = (values: Partial<Entry>) => {
    for (const entry of left()) Object.assign(entry, values)
    onChange()
  }
  for (const entry of entries) entry.batch = batch
  for (let attempt = 0; left().length > 0; attempt++) {
    change({ stage: 'sending', progressAt: performance.now() })
    try {
      await sendBatch(entries[0]?.caseNumber ?? 0, left(), batch.signal)
      for (const entry of left()) entry.sentBytes = entry.sizeBytes
      change({ batch: null, stage: 'sent' })
    } catch (error) {
      if (batch.signal.aborted) change({ batch: null, stage: 'waiting' })
      else if (error instanceof Problem && isTransientStatus(error.status)) {
        change({ stage: 'away' })
        await pauseUntilRetry(attempt, error.retryAfterSeconds)
      } else change({ batch: null, stage: 'waiting', isSingle: true })
    }
  }
}
