import { type Delivery, type Destination, useDeliveries, useReplayDelivery } from '../../api'
import { Button, Fold, More, Notice, RelativeTime, useToast } from '../../ui'
import styles from './settings.module.css'
import { kindWords, stateOf } from './webhooks'

/** What was sent to a webhook, and what it answered. */
export function WebhookLog({ webhook: { id, is_enabled: isEnabled } }: { webhook: Destination }) {
  const log = useDeliveries(id)
  const found = log.data?.pages.flatMap((page) => page.items)
  if (log.isPending) return <p role="status">Loading the log…</p>
  if (log.error && !log.isFetchNextPageError) return <Notice what="The log could not be loaded." retry={() => void log.refetch()}>{log.error.message}</Notice>
  if (found?.length === 0) return <p className={styles.soft}>Nothing was sent yet.</p>
  return (
    <>
      <div className={styles.box} tabIndex={0} role="region" aria-label="Log">
        <table className={styles.table}>
          <thead>
            <tr>
              <th scope="col">Event</th>
              <th scope="col">State</th>
              <th scope="col">Answer</th>
              <th scope="col">Made</th>
              <th scope="col">Actions</th>
            </tr>
          </thead>
          <tbody>{found?.map((one) => <Row key={one.id} delivery={one} isEnabled={isEnabled} />)}</tbody>
        </table>
      </div>
      <More of={log} label="Show older deliveries" />
    </>
  )
}

function Row({ delivery, isEnabled }: { delivery: Delivery; isEnabled: boolean }) {
  const toast = useToast()
  const replay = useReplayDelivery()
  const { id, kind, state, next_at: nextAt, status, response, error, duration_ms: took } = delivery
  return (
    <tr>
      <td>{kindWords(kind)}</td>
      <td>
        {stateOf(delivery)}
        {isEnabled && state === 'pending' && nextAt !== null && delivery.attempts > 0 && (
          <>
            , again <RelativeTime at={nextAt} />
          </>
        )}
      </td>
      <td className={styles.words}>
        {status !== null && `${status} in ${took ?? 0} ms`}
        {error !== '' && status === null && error}
        {response !== '' && (
          <Fold summary="body">
            <pre className={styles.answer}>{response}</pre>
          </Fold>
        )}
      </td>
      <td>
        <RelativeTime at={delivery.created_at} />
      </td>
      <td className={styles.actions}>
        {state !== 'pending' && (
          <Button aria-label={`Replay ${kindWords(kind)} ${id}`} disabled={replay.isPending} onClick={() => replay.mutate(id, { onError: (failure) => toast(failure.message, { isError: true }) })}>
            Replay
          </Button>
        )}
      </td>
    </tr>
  )
}
