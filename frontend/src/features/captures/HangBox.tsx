import { type Evidence, hangFilename, useFacts, useReportHang, useRestoreEvidence, useRetractHang } from '../../api'
import { useToast } from '../../ui'
import styles from './captures.module.css'

/** What a person can tell to hang before any tool could: they all read what a stuck lock guards. */
const TOOLS = ['ps', 'pgrep', 'top', 'htop', 'w', 'perf', 'lsof', 'pidstat', 'systemctl', 'docker', 'df', 'ls'] as const

type Props = { caseId: string; evidence: readonly Evidence[] }

/** "What hangs?": a tick is a sentence of a person, which joins the evidence and can be taken out again. */
export function HangBox({ caseId, evidence }: Props) {
  const facts = useFacts(caseId, 'human.hung_tool')
  const say = useReportHang(caseId)
  const unsay = useRetractHang(caseId)
  const restore = useRestoreEvidence(caseId)
  const toast = useToast()
  const failed = (error: unknown) => toast(error instanceof Error ? error.message : String(error), { isError: true })
  const ticks = new Map(evidence.flatMap(({ id, filename }) => TOOLS.filter((tool) => filename === hangFilename(tool)).map((tool) => [tool, id] as const)))
  const elsewhere = new Set((facts.data ?? []).filter(({ evidence_id }) => ![...ticks.values()].includes(evidence_id)).map(({ labels }) => labels.tool))
  const said = TOOLS.filter((tool) => ticks.has(tool) || elsewhere.has(tool))
  /** What somebody just clicked shows at once, and until the server's answer is there. */
  const isTicked = (tool: (typeof TOOLS)[number]) => {
    if (say.isPending && say.variables === tool) return true
    if (unsay.isPending && unsay.variables === ticks.get(tool)) return elsewhere.has(tool)
    return ticks.has(tool) || elsewhere.has(tool)
  }
  const toggle = (tool: (typeof TOOLS)[number]) => {
    const id = ticks.get(tool)
    if (id === undefined) {
      say.mutateAsync(tool).then(([added]) => toast(`Noted: ${tool} hangs. The case is judged again.`, added ? { undo: () => void unsay.mutateAsync(added).catch(failed) } : {}), failed)
    } else {
      unsay.mutateAsync(id).then(() => toast(`Taken back: ${tool} hangs.`, { undo: () => void restore.mutateAsync(id).catch(failed) }), failed)
    }
  }
  return (
    <details className={styles.hangs} open={said.length > 0} data-testid="hangs">
      <summary>
        What hangs? <span className={styles.soft}>{said.length > 0 ? said.join(', ') : 'Nothing said. A tool that hangs is evidence too.'}</span>
      </summary>
      <fieldset className={styles.tools} disabled={say.isPending || unsay.isPending}>
        <legend className="sr-only">Tools that hang</legend>
        {TOOLS.map((tool) => (
          <label key={tool} title={elsewhere.has(tool) ? 'Said in other evidence' : undefined}>
            <input type="checkbox" checked={isTicked(tool)} disabled={elsewhere.has(tool) && !ticks.has(tool)} onChange={() => toggle(tool)} /> <code>{tool}</code>
          </label>
        ))}
      </fieldset>
    </details>
  )
}
