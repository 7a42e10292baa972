import { useState } from 'react'
import { type IncidentTime, useIncident } from '../../api'
import { Button } from '../../ui'
import { type Draft, EventDialog } from './EventDialog'
import styles from './incident.module.css'
import { EVENT_KINDS, EVENT_LABELS, shortTime } from './labels'

type Props = { caseId: string; canChange: boolean; onShow: (evidenceId: string, line: number) => void }

const now = () => new Date().toISOString()

/** Times of the incident, stated or proposed with their reason. */
export function IncidentTimes({ caseId, canChange, onShow }: Props) {
  const incident = useIncident(caseId)
  const [draft, setDraft] = useState<Draft>()
  const times = incident.data?.times ?? []
  const edit = (time: IncidentTime) => {
    const event = incident.data?.events.find(({ id }) => id === time.event_id)
    setDraft({ kind: time.kind, at: time.at ?? now(), event })
  }
  return (
    <>
      <dl className={styles.times} aria-label="Times of the incident" data-testid="incident-times">
        {times.map((time) => (
          <div key={time.kind} data-proposed={time.is_proposed || undefined}>
            <dt>{EVENT_LABELS[time.kind]}</dt>
            <dd>
              <Time time={time} canChange={canChange} onEdit={() => edit(time)} />
              {time.is_proposed && (
                <>
                  {' '}
                  {time.evidence_id ? (
                    <button type="button" className={styles.cite} title={time.text || time.says} onClick={() => onShow(time.evidence_id ?? '', time.line)}>
                      proposed
                    </button>
                  ) : (
                    <span className={styles.soft} title={time.says}>
                      proposed
                    </span>
                  )}
                </>
              )}
            </dd>
          </div>
        ))}
      </dl>
      {draft && <EventDialog caseId={caseId} draft={draft} onClose={() => setDraft(undefined)} />}
    </>
  )
}

function Time({ time, canChange, onEdit }: { time: IncidentTime; canChange: boolean; onEdit: () => void }) {
  const text = time.at ? shortTime(time.at, now().slice(0, 10)) : '–'
  const title = time.at ? `${new Date(time.at).toISOString().replace('T', ' ').slice(0, 19)} UTC · ${new Date(time.at).toLocaleString()} local. ${time.says}` : 'Not stated'
  if (!canChange) return <span title={title}>{text}</span>
  return (
    <button type="button" className={styles.time} title={title} aria-label={`${EVENT_LABELS[time.kind]}: ${time.at ? text : 'not stated'}; change`} onClick={onEdit}>
      {text}
    </button>
  )
}

/** One button per kind of event; each opens the dialog with the present time. */
export function EventButtons({ caseId }: { caseId: string }) {
  const [draft, setDraft] = useState<Draft>()
  return (
    <div className={styles.buttons} role="group" aria-label="Record an event">
      {EVENT_KINDS.map((kind) => (
        <Button key={kind} onClick={() => setDraft({ kind, at: now() })}>
          {EVENT_LABELS[kind]}
        </Button>
      ))}
      {draft && <EventDialog caseId={caseId} draft={draft} onClose={() => setDraft(undefined)} />}
    </div>
  )
}
