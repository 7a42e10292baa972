import { useId, useState } from 'react'
import { type Evidence, useExplainedLine } from '../../api'
import { Button, Notice } from '../../ui'
import styles from './evidence.module.css'
import { isKernelLine } from './kernelLine'

type Props = { evidence: Evidence; line: number | null; text: string | undefined }

/** Which source line of the kernel prints the current line, asked for by a button. */
export function LineExplanation({ evidence, line, text }: Props) {
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  const isAsked = isOpen && line !== null && text !== undefined
  const found = useExplainedLine(isAsked ? text : undefined)
  if (line === null || text === undefined || !isKernelLine(evidence, line)) return null
  const [, ...words] = found.data?.lines[0]?.words ?? []
  return (
    <div className={styles.explanation}>
      <Button look="quiet" aria-expanded={isOpen} aria-controls={id} onClick={() => setOpen(!isOpen)}>
        {isOpen ? 'Hide the source of' : 'Explain'} line {line}
      </Button>
      <div id={id} aria-live="polite">
        {isOpen && found.isPending && <p className={styles.soft}>Looking up…</p>}
        {isOpen && found.error && (
          <Notice what="The line could not be explained." retry={() => void found.refetch()}>
            {found.error.message}
          </Notice>
        )}
        {isOpen && words.length > 0 && (
          <ul aria-label={`Source of line ${line}`}>
            {words.map((word) => (
              <li key={word}>{word.trim()}</li>
            ))}
          </ul>
        )}
      </div>
    </div>
  )
}
