import { useState } from 'react'
import { type HandoffFile, useSharedLines } from '../../api'
import { Button, Notice } from '../../ui'
import styles from './handoffs.module.css'

const PAGE = 500
const numbered = (at: number, line: string) => `${String(at).padStart(7)}  ${line}\n`

/** Paginated lines of one redacted file, from the page of `line` on, which is marked. */
export function SharedFile({ pass, file, line: cited }: { pass: string; file: HandoffFile; line: number | undefined }) {
  const [first, setFirst] = useState(cited === undefined ? 1 : Math.floor((cited - 1) / PAGE) * PAGE + 1)
  const page = useSharedLines(pass, file.number, first, first + PAGE - 1)
  if (page.error) return <Notice what={`${file.name} could not be loaded.`}>{page.error.message}</Notice>
  if (!page.data) return <p role="status">Loading…</p>
  const { lines, last_line: last, total_lines: total } = page.data
  return (
    <>
      <pre className={styles.file} tabIndex={0} role="region" aria-label={`Lines of ${file.name}`}>
        {lines.map((line, at) =>
          first + at === cited ? (
            <mark key={at} ref={(mark) => mark?.scrollIntoView({ block: 'center' })}>
              {numbered(first + at, line)}
            </mark>
          ) : (
            numbered(first + at, line)
          ),
        )}
      </pre>
      {total > PAGE && (
        <p className={styles.actions}>
          <Button disabled={first === 1} onClick={() => setFirst(Math.max(1, first - PAGE))}>
            Previous
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
