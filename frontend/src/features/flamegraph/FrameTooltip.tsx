import { asKind, boxWeights, format, type Graph, KIND_LABELS, kindOf, nameOf } from '../../profile'
import styles from './flamegraph.module.css'

type Props = { graph: Graph; row: number; x: number; y: number; lines?: readonly string[] | undefined }

/** The tooltip of a frame: name, total and self weight. */
export function FrameTooltip({ graph, row, x, y, lines }: Props) {
  const isRight = x > window.innerWidth / 2
  return (
    <div
      className={styles.tooltip}
      style={{ top: Math.min(y + 18, window.innerHeight - 92), ...(isRight ? { right: window.innerWidth - x + 8 } : { left: x + 12 }) }}
      aria-hidden="true"
    >
      <code>{nameOf(graph, row)}</code>
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
    `${format.share(selfShare)} self · ${format.weight(self, unit)} · ${KIND_LABELS[asKind(kindOf(graph, row))]}`,
  ]
}
