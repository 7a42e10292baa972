import { useNodeLines } from '../../api'
import { boxWeights, citedAtOrAbove, format, type Graph, hueLabel, kindOf, labelOf, nameOf, nodeOf } from '../../profile'
import { Button, CopyButton } from '../../ui'
import styles from './flamegraph.module.css'
import { pathText, type ClauseNodes } from './types'

type Props = {
  graph: Graph
  row: number
  profileId: string
  isInverted: boolean
  clauses: readonly ClauseNodes[]
  onClause: (clause: ClauseNodes) => void
  onLines: (evidenceId: string, line: number) => void
  onSandwich: (name: string) => void
  /** Shows frames without symbols apart. */
  onExpand: () => void
}

/** The selected frame: weights, the conditions that cite it, and actions. */
export function SelectedFrame({ graph, row, profileId, isInverted, clauses, onClause, onLines, onSandwich, onExpand }: Props) {
  const { self, total, totalShare, selfShare, samples } = boxWeights(graph, row)
  const unit = graph.columns.unit
  const shown = isInverted ? [] : clauses.filter((clause) => citedAtOrAbove(graph, row, clause.nodes).length > 0)
  // A command and joined frames are no function of the recording.
  const kind = kindOf(graph, row)
  const isAdded = kind === 'command' || kind === 'nameless'
  const lines = useNodeLines(profileId, isInverted || isAdded ? null : nodeOf(graph, row))
  const line = lines.data?.first_line
  return (
    <div className={styles.readout} data-testid="selected-frame">
      <div className={styles.readoutLine} aria-live="polite">
        <code className={styles.frameName}>{labelOf(graph, row)}</code>
        <span>
          <strong>{format.share(totalShare)}</strong> total · {format.weight(total, unit)}
        </span>
        <span>
          {format.share(selfShare)} self · {format.weight(self, unit)}
        </span>
        {samples !== null && unit !== 'samples' && <span>{format.count(samples)} samples</span>}
        <span className={styles.soft}>{hueLabel(nameOf(graph, row), kindOf(graph, row))}</span>
      </div>
      <div className={styles.chips}>
        {shown.length > 0 ? (
          <>
            <span className={styles.soft}>Evidence of</span>
            {shown.map((clause) => (
              <Button key={`${clause.findingId}/${clause.clauseId}`} title={`Finding: ${clause.finding}`} onClick={() => onClause(clause)}>
                {clause.label}
              </Button>
            ))}
          </>
        ) : (
          <span className={styles.soft}>
            {isInverted ? 'Citations are not shown in the inverted graph.' : 'Not cited by a finding.'}
          </span>
        )}
        {/* Its place is kept while it loads: a row that comes later would move the conditions under the pointer. */}
        {lines.isLoading && (
          <Button look="quiet" disabled>
            Line …
          </Button>
        )}
        {line !== undefined && lines.data && (
          <Button look="quiet" onClick={() => onLines(lines.data.evidence_id, line)}>
            Line {format.count(line)}
          </Button>
        )}
        {kind === 'nameless' && (
          <Button look="quiet" title="Each frame without a symbol as its own box" onClick={onExpand}>
            Expand
          </Button>
        )}
        {!isAdded && (
          <Button look="quiet" onClick={() => onSandwich(nameOf(graph, row))}>
            Callers and callees
          </Button>
        )}
        <CopyButton text={() => pathText(graph, row)} label="Copy stack" />
      </div>
    </div>
  )
}
