import { Link } from '@tanstack/react-router'
import { type PairOpinion, type SeenCase, useIsGuest, useLabelPair, useSeenBefore } from '../../api'
import { Button, RelativeTime, useToast } from '../../ui'
import { dayOf, OUTCOME_LABELS, traitText } from './seen'
import styles from './similarity.module.css'

type Props = { caseId: string }

/** Earlier cases that are the same problem: when the last one was, what fixed it, and whether that is right. */
export function SeenBeforeBar({ caseId }: Props) {
  const { data } = useSeenBefore(caseId)
  const label = useLabelPair(caseId)
  const isGuest = useIsGuest()
  const toast = useToast()
  const [last, ...others] = data?.cases ?? []
  if (!data || !last) return null
  const failed = (error: unknown) => toast(error instanceof Error ? error.message : String(error), { isError: true })
  const say = (seen: SeenCase, opinion: PairOpinion) => {
    const undo = () => void label.mutateAsync({ other: seen.number, opinion: seen.opinion }).catch(failed)
    const text = opinion === 'same' ? `Case ${seen.number} is labelled the same.` : `Case ${seen.number} is not shown as the same again.`
    label.mutateAsync({ other: seen.number, opinion }).then(() => toast(text, { undo }), failed)
  }
  const fixed = last.fix ? undefined : others.find(({ fix }) => fix)
  const row = (seen: SeenCase) => <Row seen={seen} isSaving={label.isPending} onSay={isGuest ? undefined : (opinion) => say(seen, opinion)} />
  return (
    <aside className={styles.bar} aria-label="Seen before" data-testid="seen-before">
      <strong>Seen {data.count}× before</strong>
      {row(last)}
      {fixed && (
        <span className={styles.barText}>
          Fixed in{' '}
          <Link to="/cases/$caseId" params={{ caseId: String(fixed.number) }}>
            {fixed.number}
          </Link>{' '}
          by “{fixed.fix}”
        </span>
      )}
      {others.length > 0 && (
        <details className={styles.more}>
          <summary>{data.count - 1} more</summary>
          <ul className={styles.list}>
            {others.map((seen) => (
              <li key={seen.number} className={styles.barRow}>
                {row(seen)}
              </li>
            ))}
          </ul>
        </details>
      )}
    </aside>
  )
}

function Row({ seen, isSaving, onSay }: { seen: SeenCase; isSaving: boolean; onSay: ((opinion: PairOpinion) => void) | undefined }) {
  return (
    <>
      <span className={styles.barText} title={seen.common.map(traitText).join('\n')}>
        <time dateTime={seen.created_at}>{dayOf(seen.created_at)}</time> (<RelativeTime at={seen.created_at} />),{' '}
        <Link to="/cases/$caseId" params={{ caseId: String(seen.number) }}>
          {seen.number} {seen.name || 'Untitled'}
        </Link>
        {seen.fix && <>, fixed by “{seen.fix}”</>} <span className={styles.soft}>{OUTCOME_LABELS[seen.outcome]}</span>
      </span>
      {onSay && (
        <span className={styles.say} role="group" aria-label={`Case ${seen.number}`}>
          <Button look="quiet" aria-pressed={seen.opinion === 'same'} disabled={isSaving} onClick={() => onSay('same')}>
            Same
          </Button>
          <Button look="quiet" disabled={isSaving} onClick={() => onSay('different')}>
            Not the same
          </Button>
        </span>
      )}
    </>
  )
}
