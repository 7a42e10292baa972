import { ROW_HEIGHT } from './draw'
import styles from './flamegraph.module.css'

type Props = { rows: number; height: number; scroll: number; isFlame: boolean }

/** How many rows of the graph lie beyond each edge; scrolling shows them. */
export function RowHint({ rows, height, scroll, isFlame }: Props) {
  const outer = Math.round(scroll / ROW_HEIGHT)
  const inner = Math.max(0, rows - outer - Math.floor(height / ROW_HEIGHT))
  const [above, below] = isFlame ? [inner, outer] : [outer, inner]
  if (height === 0) return null
  return (
    <div className={styles.rowHints} aria-hidden="true">
      {above > 0 && <span data-edge="top">▲ {above} {above === 1 ? 'row' : 'rows'}</span>}
      {below > 0 && <span data-edge="bottom">▼ {below} {below === 1 ? 'row' : 'rows'}</span>}
    </div>
  )
}
