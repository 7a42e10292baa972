import { useQueries } from '@tanstack/react-query'
import { useMemo } from 'react'
import { type Evidence, LINES_PER_PAGE, linesPage } from '../../api'
import styles from './evidence.module.css'
import { keyLines } from './keyLines'

/** A longer report is read by its cited lines. */
const MAX_PAGES = 2

type Props = { evidence: Evidence; range: { first: number; last: number }; current: number | null; onLine: (line: number) => void }

/** The lines of a long cited report that name what happened, whole and in order. */
export function DecidingLines({ evidence, range, current, onLine }: Props) {
  const firstPage = Math.floor((range.first - 1) / LINES_PER_PAGE)
  const lastPage = Math.min(Math.floor((range.last - 1) / LINES_PER_PAGE), firstPage + MAX_PAGES - 1)
  const pages = useQueries({
    queries: Array.from({ length: lastPage - firstPage + 1 }, (_, at) => linesPage(evidence, firstPage + at)),
    combine: (results) => (results.every(({ data }) => data) ? results.flatMap(({ data }) => data?.lines ?? []) : null),
  })
  const shown = useMemo(() => {
    const start = firstPage * LINES_PER_PAGE
    return pages ? keyLines(pages.slice(range.first - 1 - start, range.last - start), range.first) : []
  }, [pages, firstPage, range.first, range.last])
  if (shown.length === 0) return null
  return (
    <section className={styles.deciding} aria-label="Deciding lines" data-testid="deciding-lines">
      <ol>
        {shown.map(({ number, text }) => (
          <li key={number} data-current={number === current || undefined}>
            <button type="button" title={`Show line ${number}`} onClick={() => onLine(number)}>
              <span>{number}</span>
              <code>{text}</code>
            </button>
          </li>
        ))}
      </ol>
    </section>
  )
}
