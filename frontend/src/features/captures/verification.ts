import type { Finding, Fix, PhaseRow, Phases } from '../../api'
import type { Tone } from '../../ui'
import { quantity } from '../findings'
import { OUTCOMES } from '../phases'

export type Outcome = { outcome: PhaseRow['outcome']; label: string; tone: Tone; because: string; row: PhaseRow }
export type Figure = { title: string; before: string; after: string }
type Capture = { title: string; run: string }

const MOST_FIGURES = 3

/** The text of the event that a fix was applied. */
export const eventText = ({ title }: Pick<Fix, 'title'>): string => title.slice(0, 1000)

/** What the evidence of after the change says of a finding; undefined before there is any. */
export function outcomeOf(phases: Phases | undefined, { signature, host }: Pick<Finding, 'signature' | 'host'>): Outcome | undefined {
  if (phases?.since !== 'after') return undefined
  const row = phases.rows.find((one) => one.signature === signature && one.host === host)
  if (!row) return undefined
  const [label, tone] = OUTCOMES[row.outcome]
  return { outcome: row.outcome, label, tone, because: row.because, row }
}

/** The measured conditions that the change turned, with their values before and after it. */
export function figuresOf({ clauses, cells }: PhaseRow): Figure[] {
  const sick = cells.at(-2)?.phase
  return clauses
    .flatMap(({ title, unit, values }) => {
      const [before, after] = [values.find(({ phase }) => phase === sick), values.find(({ phase }) => phase === 'after')]
      if (!before || !after || before.state !== 'TRUE' || after.state !== 'FALSE' || before.observed === null || after.observed === null) return []
      return [{ title, before: quantity(before.observed, unit), after: quantity(after.observed, unit) }]
    })
    .slice(0, MOST_FIGURES)
}

/** The capture of the signature that shows again a required condition which is met. */
export function verifyingCapture(document: Record<string, unknown> | undefined, finding: Pick<Finding, 'clauses' | 'extract'>): Capture | undefined {
  const next = (document?.next ?? {}) as Record<string, unknown>
  const met = finding.clauses.filter(({ role, state }) => role === 'core' && state === 'TRUE')
  const version = finding.extract.cgroup_version
  const found = met.flatMap(({ id }) => (Array.isArray(next[id]) ? (next[id] as Record<string, unknown>[]) : []))
  const capture = found.find(({ cgroup }) => !cgroup || !version || cgroup === version)
  return typeof capture?.run === 'string' ? { title: String(capture.title ?? ''), run: capture.run } : undefined
}
