import type { ReactNode } from 'react'
import type { LibraryResult } from '../../api'
import { CodeSpans, Tag, type Tone } from '../../ui'
import { kernelWords, verdictWords } from '../../words'
import { KERNEL_TONES, VERDICT_TONES } from '../findings'
import styles from './library.module.css'
import { percent, REASON_LABELS } from './labels'

type Props = { result: LibraryResult; linkTo: (kind: string, key: string, text: ReactNode) => ReactNode }

const TONES: Record<string, Tone> = { ...KERNEL_TONES, ...VERDICT_TONES }

/** One search result with highlighted matches and the reasons for its rank. */
export function ResultCard({ result, linkTo }: Props) {
  return (
    <li className={styles.result} data-testid="library-result" data-key={result.key}>
      <p className={styles.meta}>
        {result.kind === 'signature' ? <code>{result.key}</code> : <Tag tone="calm">local</Tag>}{' '}
        {result.severity && <Tag tone={result.severity === 'critical' || result.severity === 'high' ? 'match' : 'plain'}>{result.severity}</Tag>}{' '}
        {result.status === 'draft' && <Tag>draft</Tag>}{' '}
        {result.kernel_verdict && (
          <span title={result.kernel_basis}>
            <Tag tone={TONES[result.kernel_verdict] ?? 'plain'}>{`kernel ${kernelWords(result.kernel_verdict)}`}</Tag>
          </span>
        )}
      </p>
      <h3>{linkTo(result.kind, result.key, <Marked parts={result.title} />)}</h3>
      {result.headline && result.kind === 'signature' && (
        <p className={styles.headline}>
          Story: {linkTo('signature-story', result.key, result.headline)} ({result.reading_minutes} min)
        </p>
      )}
      <p className={styles.snippet}>
        <Marked parts={result.snippet} />
      </p>
      {result.kernel_sentence && (
        <p className={styles.verdict} data-testid="kernel-sentence">
          <CodeSpans text={result.kernel_sentence} /> <span className={styles.soft}>{result.kernel_basis}</span>
        </p>
      )}
      {result.verdict && (
        <p className={styles.verdict}>
          <Tag tone={TONES[result.verdict] ?? 'plain'}>{verdictWords(result.verdict)}</Tag> {result.met.length > 0 && <>Conditions met in your paste: {result.met.join('; ')}.</>}
        </p>
      )}
      {result.reasons.length > 0 && (
        <ul className={styles.reasons} aria-label="Reasons for the rank">
          {result.reasons.map((reason) => (
            <li key={reason.kind}>
              {/* A rank that rests on one kind of reason is 100 % of it, which says nothing. */}
              {result.reasons.length > 1 && <span className={styles.share}>{percent(reason.share)}</span>} {REASON_LABELS[reason.kind]}
              {reason.kind !== 'judged' && `: ${reason.basis.join(', ')}`}
            </li>
          ))}
        </ul>
      )}
    </li>
  )
}

function Marked({ parts }: { parts: LibraryResult['title'] }) {
  return parts.map((part, at) => (part.is_hit ? <mark key={at}>{part.text}</mark> : <span key={at}>{part.text}</span>))
}
