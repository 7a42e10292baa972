import { Link } from '@tanstack/react-router'
import type { SignatureDraft, SignatureDraftReport, TokenReplacement } from '../../api'
import { OpenTokens } from '../handoffs'
import styles from './signatureDrafts.module.css'

type Props = { draft: SignatureDraft; report: SignatureDraftReport; onReplace: (tokens: TokenReplacement[]) => void }

/** What a drafted folder contains, what is to be reviewed in it, and what is left for a person. */
export function DraftReport({ draft, report, onReplace }: Props) {
  const files = report.texts === 1 ? '1 file' : `${report.texts.toLocaleString('en')} files`
  return (
    <div className={styles.report}>
      <p role="status">
        <code>{draft.signature_id}</code> is ready: {files} redacted, verdict <strong>{report.verdict}</strong> on its own evidence,{' '}
        {report.problems.length === 0 ? 'no problem found by lint' : `${report.problems.length} problems found by lint`}.
      </p>
      <Listed title="Conditions" rows={report.conditions} />
      <Listed title="Problems" rows={report.problems} />
      {report.look_alikes.length > 0 && (
        <section aria-label="Look-alikes">
          <h3>Look-alikes</h3>
          <ul>
            {report.look_alikes.map(({ signature, fixture, similarity, fires }) => (
              <li key={`${signature} ${fixture}`}>
                <Link to="/signatures/$area/$name" params={{ area: signature.split('/')[0] ?? '', name: signature.split('/')[1] ?? '' }}>
                  {signature}
                </Link>{' '}
                ({fixture}) {Math.round(similarity * 100)} % alike:{' '}
                {fires ? <strong>the draft fires on its evidence too. It is the same problem, or add an excluding condition.</strong> : 'the draft is silent on its evidence; added as a test.'}
              </li>
            ))}
          </ul>
        </section>
      )}
      <Listed title="Left for you" rows={report.left} />
      <Listed title="Not in the folder" rows={report.left_out.map(({ name, reason }) => `${name}: ${reason}`)} />
      <Listed title="Possible leaks" rows={report.leaks.map(({ where, line, what, written }) => `${where}:${line}: ${what}, written ${written}`)} />
      <OpenTokens what="draft" classes={report.open_classes} onReplace={onReplace} />
    </div>
  )
}

function Listed({ title, rows }: { title: string; rows: readonly string[] }) {
  if (rows.length === 0) return null
  return (
    <section aria-label={title}>
      <h3>{title}</h3>
      <ul>
        {rows.map((row) => (
          <li key={row}>{row}</li>
        ))}
      </ul>
    </section>
  )
}
