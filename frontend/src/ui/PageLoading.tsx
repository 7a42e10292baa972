import styles from './PageLoading.module.css'

/** A page whose code is loading: its geometry without content. */
export function PageLoading() {
  return (
    <div className={styles.page} role="status" aria-label="Loading the page" data-testid="page-loading">
      <span className={styles.title} />
      <span className={styles.line} />
      <div className={styles.columns}>
        <span />
        <span />
      </div>
    </div>
  )
}

/** A page of which nothing is known yet. */
export function PagePending() {
  return (
    <>
      <h1 className="sr-only">Loading</h1>
      <PageLoading />
    </>
  )
}
