import { useState } from 'react'
import { useWaits, waitsUrl, type WaitGraph } from '../../api'
import { Command, MenuButton, Notice } from '../../ui'
import { type Show } from './Cited'
import { NodeDetails } from './NodeDetails'
import { NONE, nodeAtLine } from './neighbours'
import { SnapshotTimeline } from './SnapshotTimeline'
import { TaskTable } from './TaskTable'
import { WaitPicture } from './WaitPicture'
import styles from './waits.module.css'

const STACKS = 'for t in /proc/[0-9]*/task/[0-9]*; do for f in comm stat wchan stack; do echo "==> $t/$f <=="; cat "$t/$f"; echo; done; done'

type Place = { evidenceId: string | undefined; line: number | null }
type Props = { caseId: string; place: Place; onLines: Show }

/** The wait graph: which task blocks the others. One host and phase at a time. */
export function WaitsView({ caseId, place, onLines }: Props) {
  const waits = useWaits(caseId)
  const [chosen, setChosen] = useState(0)
  if (waits.error) {
    return (
      <Notice what="The wait graph could not be loaded." retry={() => void waits.refetch()}>
        {waits.error.message} Evidence and findings are not affected.
      </Notice>
    )
  }
  if (!waits.data) return <div className={styles.loading} role="status" aria-label="Loading the wait graph" />
  const { graphs } = waits.data
  const graph = graphs[chosen] ?? graphs[0]
  if (!graph) {
    return (
      <div className={styles.none}>
        <h2>No tasks in this evidence</h2>
        <p className={styles.soft}>A wait graph needs hung-task reports, sysrq-w or sysrq-t in the kernel log, stacks below /proc, or ps with wchan. Read all stacks twice:</p>
        <Command text={STACKS} name="Read the stacks of all threads" />
      </div>
    )
  }
  return (
    <div className={styles.box} tabIndex={0} role="region" aria-label="Wait graph of the case" data-testid="waits">
      {graphs.length > 1 && (
        <label className={styles.choice}>
          Host{' '}
          <select value={graphs.indexOf(graph)} onChange={(event) => setChosen(Number(event.target.value))}>
            {graphs.map((one, at) => (
              <option key={`${one.host}:${one.phase}`} value={at}>
                {one.host || 'unknown host'}, {one.phase}
              </option>
            ))}
          </select>
        </label>
      )}
      <OneGraph key={`${graph.host}:${graph.phase}`} caseId={caseId} graph={graph} place={place} onLines={onLines} />
    </div>
  )
}

function OneGraph({ caseId, graph, place, onLines }: { caseId: string; graph: WaitGraph; place: Place; onLines: Show }) {
  const [picked, setPicked] = useState(NONE)
  // A line of the raw evidence selects the node that cites it, unless a resource, which cites none, is picked.
  const atLine = nodeAtLine(graph.nodes, place.evidenceId, place.line)
  const isResource = graph.nodes[picked]?.citations.length === 0
  const selected = isResource || atLine === NONE ? picked : atLine
  const select = (at: number) => {
    setPicked(at)
    const citation = graph.nodes[at]?.citations[0]
    if (citation) onLines(citation.evidence_id, citation.first_line)
  }
  const file = (format: 'svg' | 'mermaid' | 'text') => waitsUrl(caseId, format, graph.host, graph.phase)
  return (
    <>
      <div className={styles.summary}>
        <h2>{capitalised(graph.summary)}</h2>
        <span className={styles.soft}>
          {graph.is_partial && graph.blocked > 0 && 'at least '}
          {graph.blocked.toLocaleString('en')} of {graph.tasks.toLocaleString('en')} tasks blocked
        </span>
        <MenuButton
          label="Download"
          items={[
            { label: 'Picture', hint: '.svg', href: file('svg'), isDownload: true },
            { label: 'Mermaid flow chart', hint: '.mmd', href: file('mermaid'), isDownload: true },
            { label: 'Text', hint: '.txt', href: file('text'), isDownload: true },
          ]}
        />
      </div>
      {graph.nodes.length > 0 && (
        <>
          <WaitPicture graph={graph} selected={selected} onSelect={select} />
          <p className={styles.soft}>
            Blockers are at the left. Solid links are reported by the kernel or a debugger, or listed by lockdep; dashed ones are inferred from functions.
            {graph.omitted_tasks > 0 && ` ${graph.omitted_tasks.toLocaleString('en')} tasks of smaller clusters are not drawn.`}
          </p>
          <NodeDetails graph={graph} selected={selected} onSelect={select} onShow={onLines} />
        </>
      )}
      {graph.cycles.slice(1).map((ring) => (
        <p key={ring}>{capitalised(ring)}</p>
      ))}
      {graph.roots.length > 0 && (
        <section aria-label="Root blockers">
          <h3>Root blockers</h3>
          <ul className={styles.roots}>
            {graph.roots.slice(0, 10).map((root) => (
              <li key={root.sentence} data-notable={root.is_notable || undefined}>
                {capitalised(root.sentence)} <span className={styles.soft}>({[root.certainty, root.blocked_seconds !== null && `at least ${root.blocked_seconds.toLocaleString('en')} s`].filter(Boolean).join(', ')})</span>
              </li>
            ))}
          </ul>
        </section>
      )}
      <SnapshotTimeline snapshots={graph.snapshots} onShow={onLines} />
      {graph.blocked_tasks.length > 0 && (
        <section aria-label="Blocked tasks table">
          <h3>Blocked tasks</h3>
          <TaskTable tasks={graph.blocked_tasks} total={graph.blocked} onShow={onLines} />
        </section>
      )}
      {graph.lacks.length > 0 && (
        <section aria-label="Collect to know more">
          <h3>Collect to know more</h3>
          {graph.lacks.map((command) => (
            <Command key={command} text={command} name="Collect to know more" />
          ))}
        </section>
      )}
    </>
  )
}

const capitalised = (words: string) => words.charAt(0).toUpperCase() + words.slice(1)
