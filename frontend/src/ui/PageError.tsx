import { Button } from './Button'
import { CopyButton } from './CopyButton'
import { Notice } from './Notice'
import styles from './PageError.module.css'

type Props = { error: unknown; onRetry: () => void }

/** A page that failed to load or to render: what failed, what still works, retry, diagnostics. */
export function PageError({ error, onRetry }: Props) {
  const reason = error instanceof Error ? error.message : String(error)
  const isLoading = /dynamically imported module|module script|Failed to fetch/i.test(reason)
  const diagnostics = () => [reason, window.location.href, navigator.userAgent, new Date().toISOString(), error instanceof Error ? (error.stack ?? '') : ''].join('\n')
  return (
    <div className={styles.page} data-testid="page-error">
      <h1>{isLoading ? 'This page could not be loaded' : 'This page failed'}</h1>
      <Notice what={isLoading ? 'A part of the application did not arrive.' : 'The application has an error.'}>
        {isLoading ? 'Check the connection and try again.' : reason} Evidence and uploads are not affected.
      </Notice>
      <p className={styles.actions}>
        <Button look="primary" onClick={onRetry}>
          Try again
        </Button>
        <Button onClick={() => window.location.reload()}>Reload the page</Button>
        <CopyButton label="Copy diagnostics" text={diagnostics} />
      </p>
    </div>
  )
}
