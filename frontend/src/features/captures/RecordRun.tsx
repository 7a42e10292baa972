import { useState } from 'react'
import { useDeleteCapture, useRecordCapture } from '../../api'
import { Button, useToast } from '../../ui'
import { ResultForm } from './ResultForm'

type Props = { caseId: string; capture: string; title: string }

/** Records that a proposed capture was run, when, and with which result. */
export function RecordRun({ caseId, capture, title }: Props) {
  const [isOpen, setIsOpen] = useState(false)
  const record = useRecordCapture(caseId)
  const remove = useDeleteCapture(caseId)
  const toast = useToast()
  const showError = (error: unknown) => toast(error instanceof Error ? error.message : String(error), { isError: true })
  if (!isOpen) {
    return (
      <div>
        <Button aria-label={`Record run: ${title}`} onClick={() => setIsOpen(true)}>
          Record run
        </Button>
      </div>
    )
  }
  return (
    <ResultForm
      name={title}
      isNew
      isSending={record.isPending}
      onCancel={() => setIsOpen(false)}
      onSend={(result, ranAt) =>
        void record.mutateAsync({ capture, ranAt, result }).then((run) => {
          setIsOpen(false)
          toast(run.results.length > 0 ? 'Result added; reading it.' : 'Run recorded.', { undo: () => void remove.mutateAsync(run.id).catch(showError) })
        }, showError)
      }
    />
  )
}
