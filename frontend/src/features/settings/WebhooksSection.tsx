import { useDestinations } from '../../api'
import { Notice } from '../../ui'
import { CreateWebhook } from './CreateWebhook'
import styles from './settings.module.css'
import { WebhookCard } from './WebhookCard'

/** Webhooks: create, change, test; the log of each. */
export function WebhooksSection() {
  const found = useDestinations()
  return (
    <>
      <h1>Webhooks and messages</h1>
      <p className={styles.soft}>
        Events of the cases you see, sent to other services as they happen: signed webhooks after the Standard Webhooks specification, and messages to chat, mail and issue trackers. <a href="/api-reference" target="_blank" rel="noreferrer">API reference</a>
      </p>
      <CreateWebhook />
      {found.error && <Notice what="The webhooks could not be loaded." retry={() => void found.refetch()}>{found.error.message}</Notice>}
      {found.isPending && <p role="status">Loading the webhooks…</p>}
      {found.data?.length === 0 && <p className={styles.soft}>Nothing is sent yet.</p>}
      {found.data?.map((one) => <WebhookCard key={one.id} webhook={one} />)}
    </>
  )
}
