import { type KeyboardEvent, useRef, useState } from 'react'
import type { CaseOverview } from '../../api'
import styles from './overview.module.css'

const STEPS: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowLeft: -1, Home: -Infinity, End: Infinity }
const MARKS: Readonly<Record<string, string>> = { '': '', with: '+' }

type Place = CaseOverview['chain'][number]['citation']
type Props = {
  chain: CaseOverview['chain']
  /** What evidence of after a change says of the cause, the first node. */
  outcome?: { state: string; words: string } | undefined
  onShow: (evidenceId: string, line: number) => void
}

/**
 * The cause of the headline and what followed from it, each edge with its reason.
 *
 * A node shows its line. Left and right go from node to node; down goes to the edge before it, and each press
 * shows the next line that proves it; up returns.
 */
export function Chain({ chain, outcome, onShow }: Props) {
  const nodes = useRef<(HTMLButtonElement | null)[]>([])
  const edges = useRef<(HTMLButtonElement | null)[]>([])
  const [current, setCurrent] = useState(0)
  const [proved, setProved] = useState({ edge: -1, proof: -1 })
  const show = ({ evidence_id, first_line }: Place) => onShow(evidence_id, first_line)
  const prove = (edge: number) => {
    const proof = chain[edge]?.proof ?? []
    const next = edge === proved.edge ? (proved.proof + 1) % proof.length : 0
    const place = proof[next]
    if (!place) return
    setProved({ edge, proof: next })
    show(place)
  }
  const goTo = (at: number) => {
    const node = chain[at]
    if (!node) return
    setCurrent(at)
    nodes.current[at]?.focus()
    show(node.citation)
  }
  const press = (event: KeyboardEvent, at: number, isEdge: boolean) => {
    const by = STEPS[event.key]
    if (by === undefined && event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
    event.preventDefault()
    if (by !== undefined) {
      const to = Math.max(0, Math.min(chain.length - 1, at + by))
      if (to !== at || isEdge) goTo(to)
    } else if (event.key === 'ArrowUp') {
      if (isEdge) goTo(at)
    } else if (edges.current[at]) {
      edges.current[at].focus()
      prove(at)
    }
  }
  if (chain.length === 0) return null
  return (
    <ol className={styles.chain} aria-label="Chain of causes">
      {chain.map(({ text, edge, citation, reason, proof }, at) => (
        <li key={`${citation.evidence_id}:${citation.first_line}:${text}`}>
          {at > 0 && (
            <>
              <span aria-hidden="true">{MARKS[edge] ?? '→'}</span>
              {reason && (
                <button
                  type="button"
                  className={styles.edge}
                  tabIndex={-1}
                  title={proof.map((place) => `${place.evidence}:${place.first_line}`).join(', ')}
                  ref={(button) => {
                    edges.current[at] = button
                  }}
                  onClick={() => prove(at)}
                  onKeyDown={(event) => press(event, at, true)}
                >
                  {reason}
                </button>
              )}
            </>
          )}
          <button
            type="button"
            data-outcome={at === 0 ? outcome?.state : undefined}
            tabIndex={at === Math.min(current, chain.length - 1) ? 0 : -1}
            ref={(node) => {
              nodes.current[at] = node
            }}
            onClick={() => goTo(at)}
            onKeyDown={(event) => press(event, at, false)}
          >
            {text}
            {at === 0 && outcome && <b> {outcome.words}</b>}
          </button>
        </li>
      ))}
    </ol>
  )
}
