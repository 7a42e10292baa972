import { type KeyboardEvent, useRef } from 'react'
import type { CaseOverview } from '../../api'
import styles from './overview.module.css'

const STEPS: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }
const MARKS: Readonly<Record<string, string>> = { '': '', with: '+' }

type Props = {
  chain: CaseOverview['chain']
  /** What evidence of after a change says of the cause, the first node. */
  outcome?: { state: string; words: string } | undefined
  onShow: (evidenceId: string, line: number) => void
}

/** The cause of the headline and what followed from it: a node shows its line, arrow keys go from node to node. */
export function Chain({ chain, outcome, onShow }: Props) {
  const nodes = useRef<(HTMLButtonElement | null)[]>([])
  const step = (event: KeyboardEvent, at: number) => {
    const by = STEPS[event.key]
    const next = by === undefined ? undefined : chain[at + by]
    if (!next) return
    event.preventDefault()
    nodes.current[chain.indexOf(next)]?.focus()
    onShow(next.citation.evidence_id, next.citation.first_line)
  }
  if (chain.length === 0) return null
  return (
    <ol className={styles.chain} aria-label="Chain of causes">
      {chain.map(({ text, edge, citation }, at) => (
        <li key={`${citation.evidence_id}:${citation.first_line}:${text}`}>
          {at > 0 && <span aria-hidden="true">{MARKS[edge] ?? '→'}</span>}
          <button
            type="button"
            data-outcome={at === 0 ? outcome?.state : undefined}
            ref={(node) => {
              nodes.current[at] = node
            }}
            onClick={() => onShow(citation.evidence_id, citation.first_line)}
            onKeyDown={(event) => step(event, at)}
          >
            {text}
            {at === 0 && outcome && <b> {outcome.words}</b>}
          </button>
        </li>
      ))}
    </ol>
  )
}
