import type { ReactNode } from 'react'
import type { Sending } from '../src/api'
import { SendingRows } from '../src/features/uploads/SendingRows'
import { PageError, PagePending } from '../src/ui'

const nothing = () => undefined
const sending = (key: string, change: Partial<Sending> = {}): Sending => ({
  key, caseNumber: 7, uploadId: null, path: key, sizeBytes: 170e6, sentBytes: 60e6, bytesPerSecond: 4e6, stage: 'sending', reason: '', ...change,
})
const rows = (...sendings: Sending[]) => <SendingRows sendings={sendings} onPause={nothing} onResume={nothing} onCancel={nothing} />

/** States that no answer of the service leads to. */
export const PARTS: Record<string, ReactNode> = {
  'page-loading': <PagePending />,
  'page-failed': <PageError error={new TypeError("undefined is not an object (evaluating 'panel.figures')")} onRetry={nothing} />,
  'page-chunk-lost': <PageError error={new TypeError('Failed to fetch dynamically imported module: /assets/case.js')} onRetry={nothing} />,
  'upload-sending': rows(sending('perf.script.zst')),
  'upload-paused': rows(sending('perf.script.zst', { stage: 'paused' })),
  'upload-stopped': rows(sending('perf.script.zst', { stage: 'stopped', reason: 'The file changed on disk since the upload began.' })),
  'upload-batch': rows(...Array.from({ length: 87 }, (_, at) => sending(`db7/proc/${at}.txt`, { sizeBytes: 2_000, sentBytes: at < 40 ? 2_000 : 0, stage: at < 40 ? 'sending' : 'waiting' }))),
}
