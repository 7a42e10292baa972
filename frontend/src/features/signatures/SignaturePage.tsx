import type { ReactNode } from 'react'
import { useSignature } from '../../api'
import { Notice, Tag } from '../../ui'
import { Exhibits } from './Exhibits'
import { Markdown } from './Markdown'
import { Captures, Conditions, Fixes, Kernels, Proofs, Section } from './Sections'
import { readDocument } from './document'
import styles from './signatures.module.css'

type Props = { area: string; name: string; shown?: string | undefined; onShown: (proof: string) => void; allLink?: ReactNode }

/** What a signature says: its story and mechanism, how it looks, which kernels, what cures it, and its evidence. */
export function SignaturePage({ area, name, shown, onShown, allLink }: Props) {
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
    <article className={styles.page} data-testid="signature">
      <header>
        <p className={styles.meta}>
          {allLink}
          {allLink && ' · '}
          <code>{data.id}</code> version {data.version}{' '}
          <Tag tone={data.severity === 'critical' || data.severity === 'high' ? 'match' : 'plain'}>{data.severity}</Tag>{' '}
          <Tag tone={data.status === 'stable' ? 'calm' : 'plain'}>{data.status}</Tag>
        </p>
        <h1 className={styles.title}>{data.title}</h1>
        {data.symptoms.length > 0 && <p className={styles.symptoms}>{data.symptoms.join(' · ')}</p>}
        {data.status === 'draft' && <p className={styles.soft}>A draft: its evidence is constructed or not decisive. It never fails a build.</p>}
      </header>
      <div className={styles.columns}>
        <div>
          {data.story ? <Markdown text={data.story} /> : <p className={styles.soft}>No story is written down for this signature.</p>}
          <Exhibits area={area} name={name} proofs={data.evidence} shown={shown} onShown={onShown} />
          <Section title="How it looks" about="Each condition can be seen in one of several kinds of evidence.">
            <Conditions clauses={document.clauses} />
          </Section>
        </div>
        <aside className={styles.aside}>
          {document.fixes.length > 0 && (
            <Section title="What helps">
              <Fixes fixes={document.fixes} />
            </Section>
          )}
          <Section title="Kernels">
            <Kernels kernels={document.kernels} reported={document.reported} />
          </Section>
          {document.captures.length > 0 && (
            <Section title="What to collect">
              <Captures captures={document.captures} />
            </Section>
          )}
          <Section title="Its evidence" about="Judged anew with every change of the library.">
            <Proofs proofs={data.evidence} />
          </Section>
          {document.references.length > 0 && (
            <Section title="References">
              <ul>
                {document.references.map((reference) => (
                  <li key={reference.title}>
                    {reference.url ? (
                      <a href={reference.url} rel="noreferrer" target="_blank">
                        {reference.title}
                      </a>
                    ) : (
                      reference.title
                    )}{' '}
                    <span className={styles.soft}>{reference.status}</span>
                  </li>
                ))}
              </ul>
            </Section>
          )}
        </aside>
      </div>
    </article>
  )
}
