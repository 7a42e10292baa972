import { ROW_HEIGHT } from './draw'
import styles from './flamegraph.module.css'

type Props = { rows: number; height: number; scroll: number; isFlame: boolean; onEdge: (edge: 'outer' | 'inner') => void }

/** How many rows of the graph lie beyond each edge; a click shows them, as do Home and End. */
export function RowHint({ rows, height, scroll, isFlame, onEdge }: Props) {
  const outer = Math.round(scroll / ROW_HEIGHT)
  const inner = Math.max(0, rows - outer - Math.floor(height / ROW_HEIGHT))
  const edges = [
    { edge: 'outer', count: outer, isTop: !isFlame },
    { edge: 'inner', count: inner, isTop: isFlame },
  ] as const
  if (height === 0) return null
  return (
    <div className={styles.rowHints} aria-hidden="true">
      {edges.map(
        ({ edge, count, isTop }) =>
          count > 0 && (
            <button
              key={edge}
              type="button"
              tabIndex={-1}
              data-edge={isTop ? 'top' : 'bottom'}
              onClick={(event) => {
                event.stopPropagation()
                onEdge(edge)
              }}
              onDoubleClick={(event) => event.stopPropagation()}
            >
              {isTop ? '▲' : '▼'} {count} {count === 1 ? 'row' : 'rows'}
            </button>
          ),
      )}
    </div>
  )
}
