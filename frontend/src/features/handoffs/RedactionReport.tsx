import { useState } from 'react'
import type { Redaction } from '../../api'
import { Notice } from '../../ui'
import { Changes } from './Changes'
import styles from './handoffs.module.css'
import { lines, replacementCounts } from './labels'

type Props = { caseId: string; handoffId: string; redaction: Redaction; isOpen: boolean }

/** Redaction report: replacement counts, possible leaks, changed verdicts, and every changed line. */
export function RedactionReport({ caseId, handoffId, redaction, isOpen }: Props) {
  const [item, setItem] = useState<number>()
  const total = replacementCounts(redaction.counts).reduce((sum, { count }) => sum + count, 0)
  const changed = redaction.differences.filter(({ cause }) => cause === 'redaction')
  const omitted = redaction.differences.filter(({ cause }) => cause === 'omission')
  return (
    <details open={isOpen} className={styles.report}>
      <summary>
        Redaction: {total.toLocaleString('en')} replacements in {redaction.pieces.length} {redaction.pieces.length === 1 ? 'file' : 'files'}
      </summary>
      <ul className={styles.counts} aria-label="Replacements by kind">
        {replacementCounts(redaction.counts).map(({ kind, label, count }) => (
          <li key={kind}>
            <strong>{count.toLocaleString('en')}</strong> {label} <span className={styles.soft}>({redaction.kinds[kind] ?? 0} different)</span>
          </li>
        ))}
      </ul>
      {redaction.leaks.length > 0 && (
        <Notice what={`${redaction.leaks.length} possible leaks`}>
          <ul>
            {redaction.leaks.slice(0, 20).map((leak) => (
              <li key={`${leak.where}:${leak.line}:${leak.what}`}>
                {leak.where}:{leak.line}: {leak.what} {leak.written}
              </li>
            ))}
          </ul>
        </Notice>
      )}
      {redaction.kept_words.length > 0 && (
        <p>Also common words, so replaced only where the context marks them as names: {redaction.kept_words.join(', ')}.</p>
      )}
      <p data-testid="verdicts">
        {changed.length === 0
          ? `All ${redaction.verdicts.compared} verdicts, with every condition and cited line, are unchanged after redaction.`
          : `Redaction changed ${changed.length} verdicts:`}
      </p>
      <Differences rows={changed} />
      {omitted.length > 0 && <p>Omitted evidence changes {omitted.length} verdicts:</p>}
      <Differences rows={omitted} />
      {redaction.left_out.map(({ name, reason }) => (
        <p key={name} className={styles.soft}>
          Omitted: {name}, {reason}
        </p>
      ))}
      <div className={styles.scroll} tabIndex={0} role="region" aria-label="Included files">
        <table className={styles.table}>
          <thead>
            <tr>
              <th scope="col">File</th>
              <th scope="col">Lines</th>
              <th scope="col">Changed</th>
            </tr>
          </thead>
          <tbody>
            {redaction.pieces.map((piece) => (
              <tr key={piece.number}>
                <th scope="row">{piece.path.replace(/^evidence\/\d+\//, '')}</th>
                <td>{piece.lines.toLocaleString('en')}</td>
                <td>
                  {piece.changed > 0 ? (
                    <button type="button" className={styles.link} aria-expanded={item === piece.number} onClick={() => setItem(item === piece.number ? undefined : piece.number)}>
                      {lines(piece.changed)}
                    </button>
                  ) : (
                    'none'
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {item !== undefined && <Changes key={item} caseId={caseId} handoffId={handoffId} item={item} />}
    </details>
  )
}

function Differences({ rows }: { rows: Redaction['differences'] }) {
  if (rows.length === 0) return null
  return (
    <ul className={styles.list}>
      {rows.map((row) => (
        <li key={`${row.cause}:${row.signature}`}>
          <strong>{row.title}</strong>: {row.what.join('; ')}
        </li>
      ))}
    </ul>
  )
}
