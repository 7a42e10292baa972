import type { ReactNode } from 'react'
import type { Sending } from '../../api'
import { Button, Tag } from '../../ui'
import styles from './uploads.module.css'
import { advice, progressText, STAGE_LABELS, STAGE_TONES } from './labels'

type Props = { sending: Sending; onPause: (key: string) => void; onResume: (key: string) => void; onCancel: () => void; caseLink?: ReactNode }

/** One file that this tab uploads, with progress and actions. */
export function SendingRow({ sending, onPause, onResume, onCancel, caseLink }: Props) {
  const { key, path, stage, sentBytes, sizeBytes, bytesPerSecond } = sending
  const message = advice(sending)
  const resumeLabel = { paused: 'Resume', stopped: 'Try again', taken: 'Upload from here' }[stage as string]
  const canPause = stage === 'waiting' || stage === 'sending' || stage === 'away'
  return (
    <div className={styles.row} data-testid="sending-row" data-stage={stage} data-path={path}>
      <div className={styles.line}>
        <Tag tone={STAGE_TONES[stage]}>{STAGE_LABELS[stage]}</Tag>
        <span className={styles.name}>{path}</span>
        {caseLink}
        <progress className={styles.bar} value={sentBytes} max={sizeBytes || 1} aria-label={`Uploading ${path}`} />
        <span className={styles.soft} data-testid="sending-pace">
          {progressText(sentBytes, sizeBytes, bytesPerSecond)}
        </span>
        <span className={styles.actions}>
          {canPause && (
            <Button aria-label={`Pause ${path}`} onClick={() => onPause(key)}>
              Pause
            </Button>
          )}
          {resumeLabel && (
            <Button aria-label={`${resumeLabel}: ${path}`} onClick={() => onResume(key)}>
              {resumeLabel}
            </Button>
          )}
          {stage !== 'sent' && (
            <Button look="quiet" aria-label={`Cancel ${path}`} onClick={onCancel}>
              Cancel
            </Button>
          )}
        </span>
      </div>
      {message && (
        <p className={styles.message} data-tone={STAGE_TONES[stage]} role={stage === 'stopped' ? 'alert' : 'status'}>
          {message}
        </p>
      )}
    </div>
  )
}
