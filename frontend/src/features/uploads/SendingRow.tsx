import type { ReactNode } from 'react'
import type { Sending } from '../../api'
import { Button, Tag } from '../../ui'
import styles from './uploads.module.css'
import { advice, pace, STAGE_TONES, STAGE_WORDS } from './words'

type Props = { sending: Sending; onPause: (key: string) => void; onResume: (key: string) => void; onCancel: () => void; place?: ReactNode }

/** One file that this tab sends. */
export function SendingRow({ sending, onPause, onResume, onCancel, place }: Props) {
  const { key, path, stage, sentBytes, sizeBytes, bytesPerSecond } = sending
  const more = advice(sending)
  const wayOn = { paused: 'Resume', stopped: 'Try again', taken: 'Send from here' }[stage as string]
  const canPause = stage === 'waiting' || stage === 'sending' || stage === 'away'
  return (
    <div className={styles.row} data-testid="sending-row" data-stage={stage} data-path={path}>
      <div className={styles.line}>
        <Tag tone={STAGE_TONES[stage]}>{STAGE_WORDS[stage]}</Tag>
        <span className={styles.name}>{path}</span>
        {place}
        <progress className={styles.bar} value={sentBytes} max={sizeBytes || 1} aria-label={`Sending ${path}`} />
        <span className={styles.soft} data-testid="sending-pace">
          {pace(sentBytes, sizeBytes, bytesPerSecond)}
        </span>
        <span className={styles.actions}>
          {canPause && (
            <Button aria-label={`Pause ${path}`} onClick={() => onPause(key)}>
              Pause
            </Button>
          )}
          {wayOn && (
            <Button aria-label={`${wayOn}: ${path}`} onClick={() => onResume(key)}>
              {wayOn}
            </Button>
          )}
          {stage !== 'sent' && (
            <Button look="quiet" aria-label={`Cancel ${path}`} onClick={onCancel}>
              Cancel
            </Button>
          )}
        </span>
      </div>
      {more && (
        <p className={styles.why} data-tone={STAGE_TONES[stage]} role={stage === 'stopped' ? 'alert' : 'status'}>
          {more}
        </p>
      )}
    </div>
  )
}
