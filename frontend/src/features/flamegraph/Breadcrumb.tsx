import type { ReactNode } from 'react'
import { format, type Graph, labelOf, NO_ROW, pathTo } from '../../profile'
import styles from './toolbar.module.css'

type Props = { graph: Graph | null; row: number; onZoom: (row: number) => void; children: ReactNode }

/** Callers of the zoomed frame that are named, the nearest ones. */
const NEAREST = 3

/** Where the graph is zoomed to, in one line: each caller leads back to itself, *All* to the whole graph. Filters follow. */
export function Breadcrumb({ graph, row, onZoom, children }: Props) {
  const path = graph && row !== NO_ROW ? pathTo(graph, row) : []
  const [first, ...rest] = path
  const shown = first === undefined ? [] : [first, ...rest.slice(-NEAREST)]
  return (
    <div className={styles.line}>
      {graph && (
        <nav aria-label="Zoom" className={styles.path}>
          <button type="button" title="The whole graph (0)" disabled={row === NO_ROW} onClick={() => onZoom(NO_ROW)}>
            All
          </button>
          {shown.map((at, index) => (
            <span key={at}>
              <span aria-hidden="true">{index === 1 && rest.length > NEAREST ? ' › … › ' : ' › '}</span>
              <button type="button" aria-current={at === row ? 'location' : undefined} onClick={() => onZoom(at)}>
                {labelOf(graph, at)}
                {at === row && <span className={styles.share}> {format.share(graph.width[at] ?? 0)}</span>}
              </button>
            </span>
          ))}
        </nav>
      )}
      {children}
    </div>
  )
}
