import { useSignature } from '../../api'
import { Command, Notice, Tag } from '../../ui'
import { Markdown } from './Markdown'
import { readDocument } from './document'
import styles from './signatures.module.css'

type Props = { area: string; name: string }

/** What a signature says: how it looks, which kernels, what cures it, and its story. */
export function SignaturePage({ area, name }: Props) {
  const { data, error, isPending, refetch } = useSignature(area, name)
  if (error) {
    return (
      <div className={styles.page}>
        <Notice what={`The signature ${area}/${name} could not be shown.`} retry={() => void refetch()}>
          {error.message}
        </Notice>
      </div>
    )
  }
  if (isPending) return <div className={styles.page} role="status" aria-label="Loading the signature" />
  const document = readDocument(data.document)
  return (
    <article className={styles.page}>
      <header>
        <p className={styles.meta}>
          <code>{data.id}</code> version {data.version} <Tag tone={data.severity === 'critical' || data.severity === 'high' ? 'match' : 'plain'}>{data.severity}</Tag>{' '}
          <Tag tone={data.status === 'stable' ? 'calm' : 'plain'}>{data.status}</Tag>
        </p>
        <h1 className={styles.title}>{data.title}</h1>
        {data.symptoms.length > 0 && <p className={styles.symptoms}>{data.symptoms.join(' · ')}</p>}
      </header>
      <div className={styles.columns}>
        <div>{data.story ? <Markdown text={data.story} /> : <p className={styles.soft}>No story is written down for this signature.</p>}</div>
        <aside className={styles.aside}>
          <section>
            <h2>Conditions</h2>
            <ul>
              {document.clauses.map((clause) => (
                <li key={clause.id}>
                  {clause.title} <span className={styles.soft}>{clause.role}, weight {clause.weight}</span>
                </li>
              ))}
            </ul>
          </section>
          <section>
            <h2>Kernels</h2>
            <ul>
              {document.affected.map((row) => (
                <li key={row}>{row}</li>
              ))}
              {document.reported.map((row) => (
                <li key={row}>
                  <span className={styles.soft}>seen on</span> {row}
                </li>
              ))}
            </ul>
          </section>
          <section>
            <h2>What helps</h2>
            {document.fixes.map((fix) => (
              <div key={fix.title} className={styles.fix}>
                <p>{fix.title}</p>
                {fix.run && <Command text={fix.run} name={fix.title} />}
                {fix.risk && <p className={styles.soft}>Risk: {fix.risk}</p>}
                {fix.undo && <p className={styles.soft}>Undo: {fix.undo}</p>}
              </div>
            ))}
          </section>
          {document.references.length > 0 && (
            <section>
              <h2>References</h2>
              <ul>
                {document.references.map((reference) => (
                  <li key={reference.url}>
                    <a href={reference.url} rel="noreferrer" target="_blank">
                      {reference.title}
                    </a>{' '}
                    <span className={styles.soft}>{reference.status}</span>
                  </li>
                ))}
              </ul>
            </section>
          )}
        </aside>
      </div>
    </article>
  )
}
