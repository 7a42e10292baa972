import type { ReactNode } from 'react'
import { useSignature } from '../../api'
import { Notice, PagePending, Tag } from '../../ui'
import { Markdown } from '../markdown'
import { Checklist } from './Checklist'
import { Diagram } from './Diagram'
import { readDocument } from './document'
import { ExampleEvidence } from './ExampleEvidence'
import { FixOutcomes } from './FixOutcomes'
import { Captures, Conditions, Detections, Fixes, FixRecords, Fixtures, Kernels, Section } from './Sections'
import styles from './signatures.module.css'

type Props = { area: string; name: string; selected?: string | undefined; onSelect: (fixture: string) => void; allLink?: ReactNode; storyLink?: ReactNode; editLink?: ReactNode }

/** Signature page: story, example evidence, conditions, fixes, kernels, captures and test evidence. */
export function SignaturePage({ area, name, selected, onSelect, allLink, storyLink, editLink }: Props) {
  const { data, error, isPending, refetch } = useSignature(area, name)
  if (error) {
    return (
      <div className={styles.page}>
        <Notice what={`The signature ${area}/${name} could not be loaded.`} retry={() => void refetch()}>
          {error.message}
        </Notice>
      </div>
    )
  }
  if (isPending) return <PagePending />
  const document = readDocument(data.document)
  return (
    <article className={styles.page} data-testid="signature">
      <header>
        <p className={styles.meta}>
          {allLink}
          {allLink && ' · '}
          <code>{data.id}</code> version {data.version}{' '}
          <Tag tone={data.severity === 'critical' || data.severity === 'high' ? 'match' : 'plain'}>{data.severity}</Tag>{' '}
          <Tag tone={data.status === 'stable' ? 'calm' : 'plain'}>{data.status}</Tag> {data.story && storyLink} {editLink}
        </p>
        <h1 className={styles.title}>{data.title}</h1>
        {data.symptoms.length > 0 && <p className={styles.symptoms}>{data.symptoms.join(' · ')}</p>}
        {data.status === 'draft' && <p className={styles.soft}>Draft: the test evidence is constructed or inconclusive. Drafts never fail a build.</p>}
      </header>
      <div className={styles.columns}>
        <div>
          <Section title="Is it this?" about="Answer by hand what you see on the host; the answers stay on this page.">
            <Checklist clauses={document.clauses} decide={document.decide} captures={document.captures} />
          </Section>
          {data.story ? <Markdown text={data.story} diagramOf={(source) => <Diagram source={source} />} /> : <p className={styles.soft}>No story.</p>}
          <ExampleEvidence area={area} name={name} fixtures={data.evidence} selected={selected} onSelect={onSelect} />
          <Section title="Conditions" about="Each condition can be decided by any of its kinds of evidence.">
            <Conditions clauses={document.clauses} />
          </Section>
        </div>
        <aside className={styles.aside}>
          {document.fixes.length > 0 && (
            <Section title="Fixes">
              <Fixes fixes={document.fixes} />
            </Section>
          )}
          <FixOutcomes area={area} name={name} />
          <Section title="Kernels">
            <Kernels reason={document.reason} kernels={document.kernels} reported={document.reported} />
            {document.fixRecords.length > 0 && <FixRecords records={document.fixRecords} />}
          </Section>
          {document.captures.length > 0 && (
            <Section title="Captures">
              <Captures captures={document.captures} />
            </Section>
          )}
          {data.detections.length > 0 && (
            <Section title="Detection" about="Alerts are a reason to capture evidence, not a finding.">
              <Detections area={area} name={name} detections={data.detections} />
            </Section>
          )}
          {document.references.length > 0 && (
            <Section title="References">
              <ul>
                {document.references.map((reference) => (
                  <li key={reference.title}>
                    {reference.url ? (
                      <a href={reference.url} title={reference.check || undefined} rel="noreferrer" target="_blank">
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
          <details>
            <summary>Test evidence ({data.evidence.length})</summary>
            <p className={styles.soft}>Tested with every change of the library.</p>
            <Fixtures fixtures={data.evidence} />
          </details>
        </aside>
      </div>
    </article>
  )
}
