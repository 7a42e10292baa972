import { boxWeights, format, type Graph, NO_ROW, rowOfStack } from '../../profile'
import styles from './selection.module.css'
import { STACK_SEPARATOR } from './types'

type Props = { pins: readonly string[]; graph: Graph; onGo: (row: number) => void; onUnpin: (pin: string) => void }

/** Stacks that somebody pinned: found again by their names, whatever numbers the nodes have by then. */
export function Pins({ pins, graph, onGo, onUnpin }: Props) {
  if (pins.length === 0) return null
  return (
    <ul className={styles.selectors} aria-label="Pinned stacks">
      {pins.map((pin) => {
        const stack = pin.split(STACK_SEPARATOR)
        const row = rowOfStack(graph, stack)
        return (
          <li key={pin} className={styles.pin}>
            <button type="button" className={styles.pinName} disabled={row === NO_ROW} title={stack.join('\n')} onClick={() => onGo(row)}>
              📌 <code>{stack.at(-1)}</code> {row === NO_ROW ? 'not in this selection' : format.share(boxWeights(graph, row).totalShare)}
            </button>
            <button type="button" className={styles.unpin} aria-label={`Unpin ${stack.at(-1)}`} onClick={() => onUnpin(pin)}>
              ×
            </button>
          </li>
        )
      })}
    </ul>
  )
}
