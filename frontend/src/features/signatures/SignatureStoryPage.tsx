import { Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useCasesOfSignature, useSignature } from '../../api'
import { CopyButton, Notice, PagePending, Tag } from '../../ui'
import { Markdown } from '../markdown'
import { Diagram } from './Diagram'
import { readDocument } from './document'
import { ExampleEvidence } from './ExampleEvidence'
import { FixOutcomes } from './FixOutcomes'
import { Kernels, Section } from './Sections'
import styles from './signatures.module.css'
import { readStory } from './story'

type Props = { area: string; name: string }

/** The story of a signature as an article, with its signature, fixes, kernels and cases. */
export function SignatureStoryPage({ area, name }: Props) {
  const { data, error, isPending, refetch } = useSignature(area, name)
  const [fixture, setFixture] = useState<string>()
  const story = readStory(data?.story ?? '')
  const title = story.title || data?.title
  useEffect(() => {
    document.title = title ? `${title} · Casebook` : 'Casebook'
  }, [title])
  if (error) {
    return (
      <div className={styles.page}>
        <Notice what={`The story of ${area}/${name} could not be loaded.`} retry={() => void refetch()}>
          {error.message}
        </Notice>
      </div>
    )
  }
  if (isPending) return <PagePending />
  const { fixes, kernels, reported, reason } = readDocument(data.document)
  return (
    <article className={styles.page} data-testid="signature-story">
      <header>
        <p className={styles.meta}>
          <Link to="/library" search={{ shelf: 'story' }}>
            Stories
          </Link>{' '}
          · {story.minutes} min <CopyButton label="Copy link" text={() => window.location.href} />
        </p>
        <h1 className={styles.title}>{title}</h1>
        {data.symptoms.length > 0 && <p className={styles.symptoms}>{data.symptoms.join(' · ')}</p>}
      </header>
      <div className={styles.columns}>
        <div>
          {story.text ? <Markdown text={story.text} isBody diagramOf={(source) => <Diagram source={source} />} /> : <p className={styles.soft}>No story.</p>}
          <ExampleEvidence area={area} name={name} fixtures={data.evidence} selected={fixture} onSelect={setFixture} />
        </div>
        <aside className={styles.aside}>
          <Section title="Signature">
            <p>
              <Link to="/signatures/$area/$name" params={{ area, name }}>
                {data.title}
              </Link>{' '}
              <Tag tone={data.severity === 'critical' || data.severity === 'high' ? 'match' : 'plain'}>{data.severity}</Tag>
            </p>
          </Section>
          {fixes.length > 0 && (
            <Section title="Fixes">
              <ul>
                {fixes.map((fix) => (
                  <li key={fix.title}>{fix.title}</li>
                ))}
              </ul>
            </Section>
          )}
          <FixOutcomes area={area} name={name} />
          <Section title="Kernels">
            <Kernels reason={reason} kernels={kernels} reported={reported} />
          </Section>
          <Cases id={`${area}/${name}`} />
        </aside>
      </div>
    </article>
  )
}

function Cases({ id }: { id: string }) {
  const items = useCasesOfSignature(id).data?.items ?? []
  return (
    <Section title="Cases">
      {items.length === 0 && <p className={styles.soft}>No case that you see.</p>}
      <ul>
        {items.map((item) => (
          <li key={item.id}>
            <Link to="/cases/$caseId" params={{ caseId: String(item.number) }}>
              {item.number} {item.title}
            </Link>{' '}
            <span className={styles.soft}>{item.status}</span>
          </li>
        ))}
      </ul>
    </Section>
  )
}
