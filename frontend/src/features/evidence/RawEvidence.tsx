import { useQueries } from '@tanstack/react-query'
import { useVirtualizer } from '@tanstack/react-virtual'
import { type CSSProperties, useEffect, useMemo, useRef } from 'react'
import { type Evidence, LINES_PER_PAGE, linesPage } from '../../api'
import { format } from '../../profile'
import { Button, Notice } from '../../ui'
import styles from './evidence.module.css'
import { isKeyLine, isReport } from './keyLines'
import { nameOf } from './labels'
import { LineExplanation } from './LineExplanation'
import { FIRST_RECT, observeSize, scrollLaidOut } from './observeSize'

const LINE_HEIGHT = 18
/** Browsers limit the height of a scrolled element; a longer file is shown as a window of this many lines. */
const MAX_LINES = 800_000
/** Long lines of a file up to this length are wrapped, which costs a measurement for each line on screen. */
const MAX_WRAPPED_LINES = 20_000

type Range = { first: number; last: number }
/** What a range of lines shows; "" when an earlier range says it. */
export type LineNote = Range & { text: string }
type Props = {
  evidence: Evidence
  /** The line to scroll to: of the citation, or from the URL. */
  line: number | null
  cited: readonly Range[]
  /** What other lines show, with those that are cited. */
  notes: readonly LineNote[]
  /** Names and numbers that stand out in cited lines. */
  names: readonly string[]
  citedFor: string
  position: string
  onStep: ((by: 1 | -1) => void) | null
}

/** The raw text, scrolled to the cited lines; only visible pages are fetched. */
export function RawEvidence({ evidence, line, cited, notes, names, citedFor, position, onStep }: Props) {
  const box = useRef<HTMLDivElement>(null)
  const total = evidence.line_count ?? 0
  const isWrapped = total <= MAX_WRAPPED_LINES
  const base = total > MAX_LINES ? Math.max(0, Math.min((line ?? 1) - MAX_LINES / 2, total - MAX_LINES)) : 0
  const virtual = useVirtualizer({
    count: Math.min(total, MAX_LINES),
    getScrollElement: () => box.current,
    estimateSize: () => LINE_HEIGHT,
    overscan: 8,
    initialRect: FIRST_RECT,
    observeElementRect: observeSize,
    scrollToFn: scrollLaidOut,
    // Begins where it will scroll to, so that no other page of lines is fetched first.
    initialOffset: () => Math.max(0, (line ?? 1) - 1 - base) * LINE_HEIGHT,
  })
  const rows = virtual.getVirtualItems()
  const firstPage = Math.floor((base + (rows[0]?.index ?? 0)) / LINES_PER_PAGE)
  const lastPage = Math.floor((base + (rows.at(-1)?.index ?? 0)) / LINES_PER_PAGE)
  const isRead = evidence.state === 'read'
  const pages = useQueries({
    queries: total === 0 ? [] : Array.from({ length: lastPage - firstPage + 1 }, (_, at) => linesPage(evidence, firstPage + at)),
  })
  const failed = pages.find((page) => page.error)
  const textOf = (at: number) => {
    const page = pages[Math.floor((at - 1) / LINES_PER_PAGE) - firstPage]?.data
    return page?.lines[at - page.first_line]
  }
  // Of a long report only the lines that decide stand out; the others have a mark at the margin.
  const reports = new Set(cited.filter(({ first, last }) => isReport(first, last, textOf)))
  // Wrapped lines above take their height once their text is there.
  const markOf = useMemo(() => (names.length > 0 ? new RegExp(`(?<![\\w.])(${names.map(escaped).join('|')})(?![\\w])`) : null), [names])
  const hasText = line !== null && textOf(line) !== undefined
  useEffect(() => {
    if (line !== null) virtual.scrollToIndex(Math.max(0, line - 1 - base), { align: 'center' })
    // oxlint-disable-next-line react/exhaustive-deps -- the virtualizer is stable
  }, [line, evidence.id, base, isWrapped && hasText])

  return (
    <section className={styles.raw} aria-label={`Raw text of ${nameOf(evidence)}`} data-testid="raw-evidence" data-evidence={evidence.id}>
      <header className={styles.rawHead}>
        <code className={styles.rawName}>{nameOf(evidence)}</code>
        <span className={styles.soft}>{total > 0 && `${format.count(total)} ${total === 1 ? 'line' : 'lines'}`}</span>
        {citedFor && (
          <>
            <span className={styles.citedFor} title={citedFor}>
              cited by <strong>{citedFor}</strong>
            </span>
            {position && <span className={styles.soft}>{position}</span>}
          </>
        )}
        <span className={styles.actions}>
          {onStep && (
            <>
              <Button look="quiet" onClick={() => onStep(-1)} aria-label="Previous citation" title="Previous citation (p)">
                ‹ Previous
              </Button>
              <Button look="quiet" onClick={() => onStep(1)} aria-label="Next citation" title="Next citation (n)">
                Next ›
              </Button>
            </>
          )}
          <a className={styles.download} href={`/api/v1/evidence/${evidence.id}/content`} download>
            Download
          </a>
        </span>
      </header>
      <LineExplanation key={`${evidence.id}:${line}`} evidence={evidence} line={line} text={line === null ? undefined : textOf(line)} />
      {failed && (
        <Notice what="The lines could not be loaded." retry={() => void failed.refetch()}>
          {failed.error?.message}
        </Notice>
      )}
      {total === 0 || !isRead ? (
        <p className={styles.none}>{isRead ? 'This file has no lines of its own; see its members.' : evidence.reason || 'The file is being read; its lines are shown here afterwards.'}</p>
      ) : (
        <div ref={box} className={styles.lines} tabIndex={0} role="region" aria-label="Lines">
          <div className={styles.canvas} data-wrapped={isWrapped || undefined} style={{ height: virtual.getTotalSize(), '--digits': `${String(total).length}` } as CSSProperties}>
            {rows.map((row) => {
              const at = base + row.index + 1
              const range = cited.find(({ first, last }) => at >= first && at <= last)
              const note = notes.find(({ first, last }) => at >= first && at <= last)
              const isPart = range !== undefined && reports.has(range) && !isKeyLine(textOf(at) ?? '')
              return (
                <div
                  key={row.key}
                  ref={isWrapped ? virtual.measureElement : undefined}
                  data-index={row.index}
                  className={styles.line}
                  data-line={at}
                  data-cited={range ? (isPart ? 'part' : true) : note && 'other'}
                  data-current={at === line || undefined}
                  style={{ transform: `translateY(${row.start}px)` }}
                >
                  <span className={styles.lineNumber}>{at}</span>
                  <span className={styles.lineText}>
                    {range || note ? marked(textOf(at) ?? ' ', markOf) : (textOf(at) ?? ' ')}
                    {note?.text && at === note.first && <span className={styles.note}>{note.text}</span>}
                  </span>
                </div>
              )
            })}
          </div>
        </div>
      )}
    </section>
  )
}

const escaped = (name: string) => name.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** A line whose names stand out. */
function marked(text: string, names: RegExp | null) {
  if (!names || !names.test(text)) return text
  return text.split(names).map((part, at) => (at % 2 === 1 ? <mark key={`${at}:${part}`}>{part}</mark> : part))
}
