import { type Destination, useDeleteDestination, useReplayFailed, useRestoreDestination, useRotateDestination, useTestDestination, useUpdateDestination } from '../../api'
import { Button, Fold, Notice, RelativeTime, Tag, useToast } from '../../ui'
import { SecretReveal } from './SecretReveal'
import styles from './settings.module.css'
import { WebhookLog } from './WebhookLog'
import { admitsNothing, filterWords } from './webhooks'

/** One webhook: its state, what it receives, and its log. */
export function WebhookCard({ webhook }: { webhook: Destination }) {
  const toast = useToast()
  const update = useUpdateDestination()
  const remove = useDeleteDestination()
  const restore = useRestoreDestination()
  const rotate = useRotateDestination()
  const test = useTestDestination()
  const replay = useReplayFailed()
  const { id, name, is_enabled: isEnabled, failed, pending } = webhook
  const fails = { onError: (error: Error) => toast(error.message, { isError: true }) }
  const isBusy = update.isPending || remove.isPending || rotate.isPending || test.isPending || replay.isPending
  return (
    <article className={styles.webhook} aria-label={name} data-testid="webhook">
      <h2>
        {name} <State webhook={webhook} />
      </h2>
      <p>
        <code>{webhook.url}</code>
      </p>
      <p className={styles.soft}>
        {filterWords(webhook)}
        {!webhook.is_mine && ` · of ${webhook.owner}`}
        {pending > 0 && ` · ${pending.toLocaleString('en')} waiting`}
        {failed > 0 && ` · ${failed.toLocaleString('en')} failed`}
      </p>
      {admitsNothing(webhook) && <Notice what="Nothing is sent: what a filter refers to was deleted." tone="plain" />}
      {webhook.disabled_reason && (
        <Notice what="Casebook disabled this webhook.">
          {webhook.disabled_reason}. What waits is kept; events since then are not sent. Enable it once the receiver works.
        </Notice>
      )}
      <p className={styles.actions}>
        <Button disabled={isBusy || !isEnabled} onClick={() => test.mutate(id, { ...fails, onSuccess: () => toast('A test message is on its way; the log shows the answer.') })}>
          Send test
        </Button>
        <Button disabled={isBusy} onClick={() => update.mutate({ id, is_enabled: !isEnabled }, fails)}>
          {isEnabled ? 'Disable' : 'Enable'}
        </Button>
        {webhook.channel === 'webhook' && (
          <Button disabled={isBusy} onClick={() => rotate.mutate(id, fails)}>
            Rotate secret
          </Button>
        )}
        {failed > 0 && (
          <Button disabled={isBusy} onClick={() => replay.mutate(id, { ...fails, onSuccess: ({ count }) => toast(`${count.toLocaleString('en')} sent again.`) })}>
            Replay failed
          </Button>
        )}
        <Button look="quiet" disabled={isBusy} onClick={() => remove.mutate(id, { ...fails, onSuccess: () => toast(`${name} is deleted.`, { undo: () => restore.mutate(id, fails) }) })}>
          Delete
        </Button>
      </p>
      {rotate.data?.secret && <SecretReveal label={`New signing secret of ${name}`} note="The old one signs beside it for a day." secret={rotate.data.secret} />}
      <Fold summary="Log" data-testid="webhook-log">
        <WebhookLog webhook={webhook} />
      </Fold>
    </article>
  )
}

function State({ webhook: { is_enabled: isEnabled, failing_since: since } }: { webhook: Destination }) {
  if (!isEnabled) return <Tag tone="suspect">Disabled</Tag>
  if (since === null) return <Tag tone="calm">Enabled</Tag>
  return (
    <Tag tone="suspect">
      Failing since <RelativeTime at={since} />
    </Tag>
  )
}
