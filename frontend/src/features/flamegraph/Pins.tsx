import { boxWeights, format, type Graph, NO_ROW, nodeOf, rowOfStack } from '../../profile'
import { type Pin, readPin, selectionOfPin } from './pin'
import { seconds } from './selection'
import styles from './selection.module.css'
import type { GraphState } from './types'

type Props = { state: GraphState; graph: Graph | null; onChange: (change: Partial<GraphState>) => void }

/** Pinned stacks, time ranges and threads; stacks are resolved by names, since node ids change with the selection. */
export function Pins({ state, graph, onChange }: Props) {
  const { pins, selection } = state
  if (pins.length === 0) return null
  const unpin = (pin: string) => onChange({ pins: pins.filter((other) => other !== pin) })
  return (
    <ul className={styles.selectors} aria-label="Pinned">
      {pins.map((text) => {
        const pin = readPin(text)
        const row = pin.kind === 'stack' && graph ? rowOfStack(graph, pin.names) : NO_ROW
        const isMissing = pin.kind === 'stack' && graph !== null && row === NO_ROW
        const go = () => {
          const to = selectionOfPin(pin, selection)
          if (to) onChange({ selection: to, zoom: null, node: null })
          else if (graph) onChange({ node: nodeOf(graph, row), zoom: null, inverted: false, ...(state.look !== 'icicle' && { look: 'flame' as const }) })
        }
        return (
          <li key={text} className={styles.pin}>
            <button type="button" className={styles.pinName} disabled={isMissing} title={pin.kind === 'stack' ? pin.names.join('\n') : undefined} onClick={go}>
              <svg className={styles.needle} width="9" height="11" viewBox="0 0 9 11" aria-hidden="true">
                <path d="M4.5 0a3 3 0 0 1 1 5.8V11h-2V5.8A3 3 0 0 1 4.5 0Z" />
              </svg>
              <code>{nameOf(pin)}</code> {isMissing && 'not in this selection'}
              {graph && row !== NO_ROW && format.share(boxWeights(graph, row).totalShare)}
            </button>
            <button type="button" className={styles.unpin} aria-label={`Unpin ${nameOf(pin)}`} onClick={() => unpin(text)}>
              ×
            </button>
          </li>
        )
      })}
    </ul>
  )
}

function nameOf(pin: Pin): string {
  if (pin.kind === 'stack') return pin.names.at(-1) ?? ''
  if (pin.kind === 'thread') return `${pin.comm} ${pin.tid}`.trim()
  return pin.kind === 'time' ? `${seconds(pin.from)}–${seconds(pin.to)} s` : `samples ${format.count(pin.from + 1)}–${format.count(pin.to)}`
}
