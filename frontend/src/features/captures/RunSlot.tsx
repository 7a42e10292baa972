import { useState } from 'react'
import { useDeleteCapture, useRecordCapture } from '../../api'
import { Button, useToast } from '../../ui'
import { ResultForm } from './ResultForm'

type Props = { caseId: string; capture: string; title: string }

/** "I ran it": when, and a place for what came of it. */
export function RunSlot({ caseId, capture, title }: Props) {
  const [isOpen, setIsOpen] = useState(false)
  const note = useRecordCapture(caseId)
  const takeBack = useDeleteCapture(caseId)
  const toast = useToast()
  const failed = (error: unknown) => toast(error instanceof Error ? error.message : String(error), { isError: true })
  if (!isOpen) {
    return (
      <div>
        <Button aria-label={`I ran it: ${title}`} onClick={() => setIsOpen(true)}>
          I ran it
        </Button>
      </div>
    )
  }
  return (
    <ResultForm
      name={title}
      isNew
      isSending={note.isPending}
      onCancel={() => setIsOpen(false)}
      onSend={(result, ranAt) =>
        void note.mutateAsync({ capture, ranAt, result }).then((run) => {
          setIsOpen(false)
          toast(run.results.length > 0 ? 'The result is added; reading.' : 'Noted that it was run.', { undo: () => void takeBack.mutateAsync(run.id).catch(failed) })
        }, failed)
      }
    />
  )
}
