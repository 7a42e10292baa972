import { useState, type ReactNode } from 'react'
import { useSignatures } from '../../api'
import { Notice, Tag } from '../../ui'
import { found } from './list'
import styles from './signatures.module.css'

type Props = { linkTo: (id: string, text: string) => ReactNode }

/** Every known pathology, searched by what somebody notices first. */
export function SignatureListPage({ linkTo }: Props) {
  const { data, error, isPending, refetch } = useSignatures()
  const [query, setQuery] = useState('')
  if (error) {
    return (
      <div className={styles.page}>
        <Notice what="The signatures could not be listed." retry={() => void refetch()}>
          {error.message}
        </Notice>
      </div>
    )
  }
  if (isPending) return <div className={styles.page} role="status" aria-label="Loading the signatures" />
  const groups = found(data, query)
  const count = groups.reduce((sum, group) => sum + group.signatures.length, 0)
  return (
    <div className={styles.page} data-testid="signature-list">
      <header>
        <h1 className={styles.title}>Signatures</h1>
        <p className={styles.symptoms}>Known pathologies of the kernel: how each looks, what it is not, which kernels have it, what helps.</p>
      </header>
      <input
        type="search"
        className={styles.search}
        value={query}
        placeholder="A symptom, a function, a part of a name"
        aria-label="Search signatures"
        onChange={(event) => setQuery(event.target.value)}
      />
      <p role="status" className={styles.soft}>
        {count === data.length ? `${count} signatures` : `${count} of ${data.length} signatures`}
      </p>
      {groups.map(({ area, signatures }) => (
        <section key={area} aria-label={area}>
          <h2 className={styles.area}>{area}</h2>
          <ul>
            {signatures.map((signature) => (
              <li key={signature.id} className={styles.row}>
                <p className={styles.rowTitle}>{linkTo(signature.id, signature.title)}</p>
                <p className={styles.meta}>
                  <Tag tone={signature.severity === 'critical' || signature.severity === 'high' ? 'match' : 'plain'}>{signature.severity}</Tag>{' '}
                  <Tag tone={signature.status === 'stable' ? 'calm' : 'plain'}>{signature.status}</Tag> {signature.symptoms.join(' · ')}
                </p>
              </li>
            ))}
          </ul>
        </section>
      ))}
      {count === 0 && <Notice tone="plain" what="No signature speaks of that." />}
    </div>
  )
}
