import { format, type Graph, HUE_LABELS, hueColour, shareOfRows } from '../../profile'
import styles from './legend.module.css'
import { huesIn } from './paint'
import { usePalette } from './usePalette'

type Props = { graph: Graph; outlined: readonly number[]; citedCount: number; clauseName: string; hints?: string }

/** The colours and outlines of the graph, and its mouse actions. */
export function Legend({ graph, outlined, citedCount, clauseName, hints = 'double-click: zoom · right click: more' }: Props) {
  const palette = usePalette()
  return (
    <ul className={styles.legend} aria-label="Legend">
      {huesIn(graph).map((hue) => (
        <li key={hue}>
          <svg width="11" height="11" aria-hidden="true">
            <rect width="11" height="11" fill={hueColour(hue, palette.isDark)} />
          </svg>
          {HUE_LABELS[hue]}
        </li>
      ))}
      {clauseName && citedCount > 0 && (
        <li>
          <svg width="11" height="11" aria-hidden="true">
            <rect x="1.25" y="1.25" width="8.5" height="8.5" fill="none" stroke={palette.outline} strokeWidth="2.5" />
          </svg>
          <span>
            outlined: evidence of <strong>{clauseName}</strong>
            {outlined.length > 0 && `, ${format.share(shareOfRows(graph, outlined))} of this graph`}
            {outlined.length < citedCount && ` (${outlined.length} of ${citedCount} frames are wide enough to draw)`}
          </span>
        </li>
      )}
      <li>{graph.columns.pruned_nodes > 0 ? `${hints} · zoom loads narrow frames` : hints}</li>
    </ul>
  )
}
