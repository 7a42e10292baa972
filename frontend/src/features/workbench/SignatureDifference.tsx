import { lazy, Suspense } from 'react'
import { useVersionText } from '../../api'
import { Dialog, Notice } from '../../ui'

const TextDifference = lazy(() => import('./TextDifference'))

/** A version of a library; null where the signature is new in the other one. */
type Version = { id: string; commit: string } | null
type Props = { library: string; signature: string; before: Version; after: { id: string; commit: string }; onClose: () => void }

/** What two versions of a library have different in one signature. */
export function SignatureDifference({ library, signature, before, after, onClose }: Props) {
  const [area = '', name = ''] = signature.split('/')
  const older = useVersionText(library, before?.id ?? '', area, name, before !== null)
  const newer = useVersionText(library, after.id, area, name, true)
  const error = newer.error ?? older.error
  const isThere = newer.data !== undefined && (before === null || older.data !== undefined)
  const isSame = isThere && before !== null && older.data?.text === newer.data?.text
  return (
    <Dialog title={before ? `${signature}: ${before.commit} to ${after.commit}` : `${signature}: ${after.commit}`} isWide testId="signature-difference" onClose={onClose}>
      {error && (
        <Notice what="The texts could not be loaded." retry={() => void Promise.all([older.refetch(), newer.refetch()])}>
          {error.message}
        </Notice>
      )}
      {!error && !isThere && <p role="status">Loading the differences…</p>}
      {isSame && <p>The signature is the same in both versions.</p>}
      {isThere && !isSame && (
        <Suspense fallback={<p role="status">Loading the differences…</p>}>
          <TextDifference label={`Differences of ${signature}`} before={older.data?.text ?? ''} after={newer.data?.text ?? ''} />
        </Suspense>
      )}
    </Dialog>
  )
}
