import { boxWeights, format, type Graph, hueLabel, kindOf, labelOf, nameOf, stackOf } from '../../profile'
import styles from './flamegraph.module.css'

type Props = { graph: Graph; row: number; x: number; y: number; lines?: readonly string[] | undefined }

/** Callers shown, nearest first. */
const CALLERS = 3

/** The tooltip of a frame: name, total and self weight, nearest callers. */
export function FrameTooltip({ graph, row, x, y, lines }: Props) {
  const isRight = x > window.innerWidth / 2
  return (
    <div
      className={styles.tooltip}
      style={{ top: Math.min(y + 18, window.innerHeight - 116), ...(isRight ? { right: window.innerWidth - x + 8 } : { left: x + 12 }) }}
      aria-hidden="true"
    >
      <code>{labelOf(graph, row)}</code>
      {(lines ?? weightLines(graph, row)).map((line) => (
        <div key={line}>{line}</div>
      ))}
    </div>
  )
}

function weightLines(graph: Graph, row: number): string[] {
  const { total, totalShare, self, selfShare } = boxWeights(graph, row)
  const { unit } = graph.columns
  return [
    `${format.share(totalShare)} total · ${format.weight(total, unit)}`,
    `${format.share(selfShare)} self · ${format.weight(self, unit)} · ${hueLabel(nameOf(graph, row), kindOf(graph, row))}`,
    ...callersLine(graph, row),
  ]
}

/** `called by c ← b ← a ← …`; in an inverted graph the rows above are the callees. */
function callersLine(graph: Graph, row: number): string[] {
  const above = stackOf(graph, row).slice(0, -1).toReversed()
  if (above.length === 0) return []
  const names = [...above.slice(0, CALLERS), ...(above.length > CALLERS ? ['…'] : [])]
  return [graph.columns.leaf ? `calls ${names.join(' → ')}` : `called by ${names.join(' ← ')}`]
}
