import { asKind, boxWeights, format, type Graph, KIND_WORDS, kindOf, nameOf } from '../../profile'
import styles from './flamegraph.module.css'

type Props = { graph: Graph; row: number; x: number; y: number }

export function FrameTooltip({ graph, row, x, y }: Props) {
  const { total, totalShare } = boxWeights(graph, row)
  const isRight = x > window.innerWidth / 2
  return (
    <div
      className={styles.tooltip}
      style={{ top: Math.min(y + 18, window.innerHeight - 76), ...(isRight ? { right: window.innerWidth - x + 8 } : { left: x + 12 }) }}
      aria-hidden="true"
    >
      <code>{nameOf(graph, row)}</code>
      <div>
        {format.share(totalShare)} · {format.weight(total, graph.columns.unit)} · {KIND_WORDS[asKind(kindOf(graph, row))]}
      </div>
    </div>
  )
}
