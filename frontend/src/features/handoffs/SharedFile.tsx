import { useState } from 'react'
import { type HandedFile, useSharedLines } from '../../api'
import { Button, Notice } from '../../ui'
import styles from './handoffs.module.css'

const PAGE = 500

/** Lines of one redacted file, page by page. */
export function SharedFile({ pass, piece }: { pass: string; piece: HandedFile }) {
  const [first, setFirst] = useState(1)
  const told = useSharedLines(pass, piece.number, first, first + PAGE - 1)
  if (told.error) return <Notice what={`${piece.name} cannot be shown.`}>{told.error.message}</Notice>
  if (!told.data) return <p role="status">Loading…</p>
  const { lines, last_line: last, total_lines: total } = told.data
  return (
    <>
      <pre className={styles.file} tabIndex={0} role="region" aria-label={`Lines of ${piece.name}`}>
        {lines.map((line, at) => `${String(first + at).padStart(7)}  ${line}\n`).join('')}
      </pre>
      {total > PAGE && (
        <p className={styles.actions}>
          <Button disabled={first === 1} onClick={() => setFirst(Math.max(1, first - PAGE))}>
            Before
          </Button>
          <span className={styles.soft}>
            {first.toLocaleString('en')} to {last.toLocaleString('en')} of {total.toLocaleString('en')}
          </span>
          <Button disabled={last >= total} onClick={() => setFirst(first + PAGE)}>
            Next
          </Button>
        </p>
      )}
    </>
  )
}
