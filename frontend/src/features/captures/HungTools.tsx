import { type Evidence, hangFilename, useFacts, useReportHang, useRestoreEvidence, useRetractHang } from '../../api'
import { useToast } from '../../ui'
import styles from './captures.module.css'

/** Tools that block when a kernel lock is stuck; a person notices before any collector does. */
const TOOLS = ['ps', 'pgrep', 'top', 'htop', 'w', 'perf', 'lsof', 'pidstat', 'systemctl', 'docker', 'df', 'ls'] as const

type Props = { caseId: string; evidence: readonly Evidence[] }

/** Check boxes for tools that hang: a tick adds a statement to the evidence, clearing it removes the statement. */
export function HungTools({ caseId, evidence }: Props) {
  const facts = useFacts(caseId, 'human.hung_tool')
  const report = useReportHang(caseId)
  const retract = useRetractHang(caseId)
  const restore = useRestoreEvidence(caseId)
  const toast = useToast()
  const showError = (error: unknown) => toast(error instanceof Error ? error.message : String(error), { isError: true })
  const tickedEvidence = new Map(evidence.flatMap(({ id, filename }) => TOOLS.filter((tool) => filename === hangFilename(tool)).map((tool) => [tool, id] as const)))
  const otherEvidence = new Set((facts.data ?? []).filter(({ evidence_id }) => ![...tickedEvidence.values()].includes(evidence_id)).map(({ labels }) => labels.tool))
  const reported = TOOLS.filter((tool) => tickedEvidence.has(tool) || otherEvidence.has(tool))
  /** Optimistic state: a click shows at once, until the server responds. */
  const isTicked = (tool: (typeof TOOLS)[number]) => {
    if (report.isPending && report.variables === tool) return true
    if (retract.isPending && retract.variables === tickedEvidence.get(tool)) return otherEvidence.has(tool)
    return tickedEvidence.has(tool) || otherEvidence.has(tool)
  }
  const toggle = (tool: (typeof TOOLS)[number]) => {
    const id = tickedEvidence.get(tool)
    if (id === undefined) {
      report.mutateAsync(tool).then(([added]) => toast(`Recorded: ${tool} hangs. Judging the case again.`, added ? { undo: () => void retract.mutateAsync(added).catch(showError) } : {}), showError)
    } else {
      retract.mutateAsync(id).then(() => toast(`Removed: ${tool} hangs.`, { undo: () => void restore.mutateAsync(id).catch(showError) }), showError)
    }
  }
  return (
    <details className={styles.hangs} open={reported.length > 0} data-testid="hangs">
      <summary>
        Hung tools <span className={styles.soft}>{reported.length > 0 ? reported.join(', ') : 'None reported. A tool that hangs is evidence: tick it.'}</span>
      </summary>
      <fieldset className={styles.tools} disabled={report.isPending || retract.isPending}>
        <legend className="sr-only">Hung tools</legend>
        {TOOLS.map((tool) => (
          <label key={tool} title={otherEvidence.has(tool) ? 'Reported in other evidence' : undefined}>
            <input type="checkbox" checked={isTicked(tool)} disabled={otherEvidence.has(tool) && !tickedEvidence.has(tool)} onChange={() => toggle(tool)} /> <code>{tool}</code>
          </label>
        ))}
      </fieldset>
    </details>
  )
}
