import type { Affected, Clause, Finding, Verdict } from '../../api'
import { format } from '../../profile'
import type { Tone } from '../../ui'
import { EXCLUDES, kernelWords, reasonWords, stateWords, UNITS } from '../../words'

export const VERDICT_TONES: Record<Verdict, Tone> = { match: 'match', suspect: 'suspect', unknown: 'plain', no_match: 'plain', not_applicable: 'plain' }

export const SEVERITY_TONES: Record<string, Tone> = { critical: 'match', high: 'suspect' }

/** Tones of the status of a kernel. */
export const KERNEL_TONES: Record<string, Tone> = { affected: 'match', probably_affected: 'match', affected_unless_backported: 'suspect', probably_not_affected: 'calm', fixed: 'calm', not_affected: 'calm' }

/** Whether the running kernel decides; a condition is not a matter of its version. */
export const hasKernelVerdict = ({ verdict }: Affected): boolean => verdict !== 'unknown' && verdict !== 'version_independent'

/** The label and tone of the kernel status of a finding: `Kernel affected`. */
export function affectedLabel({ verdict }: Affected): [string, Tone] {
  return [`Kernel ${kernelWords(verdict)}`, KERNEL_TONES[verdict] ?? 'plain']
}

export type Mark = { sign: string; label: string; tone: 'met' | 'open' | 'unmet' | 'hidden' }

const MARKS = { UNKNOWN: ['?', 'open'], NOT_OBSERVABLE: ['–', 'hidden'], TRUE: ['✓', 'met'], FALSE: ['✗', 'unmet'] } as const

/** Sign, label and tone of a condition's state; a met excluding condition (role `rival`) counts against the finding. */
export function markOf(clause: Pick<Clause, 'state' | 'role' | 'reason' | 'observed'>): Mark {
  const { state, role } = clause
  const isExcluding = role === 'rival' && (state === 'TRUE' || state === 'FALSE')
  const [sign, tone] = MARKS[isExcluding ? (state === 'TRUE' ? 'FALSE' : 'TRUE') : state]
  return { sign, label: isExcluding && state === 'TRUE' ? EXCLUDES : stateWords(clause), tone }
}

/** The state of a condition with its reason. */
export const stateWithReason = (clause: Clause): string => [markOf(clause).label, clause.state === 'TRUE' ? '' : reasonWords(clause)].filter(Boolean).join(': ')

const SECONDS: Record<string, number> = { ns: 1e-9, us: 1e-6, ms: 1e-3, s: 1, seconds: 1 }
const integer = new Intl.NumberFormat('en', { maximumFractionDigits: 0 })
/** Below it a third digit is noise of the sample. */
const FINE_SHARE = 0.01
const twoDigits = new Intl.NumberFormat('en', { maximumSignificantDigits: 2, roundingMode: 'halfEven' })
const threeDigits = new Intl.NumberFormat('en', { maximumSignificantDigits: 3, roundingMode: 'halfEven' })

/** A value with its unit: `40.8 %`, `231 s`, `4 GiB`, `6,041,560`; counts are not rounded. */
export function quantity(value: number | string | null, unit: string): string {
  if (value === null) return '–'
  if (typeof value === 'string') return value
  if (unit === 'share' && value <= 10) return value === 0 || value >= 0.0001 ? `${(value < FINE_SHARE ? twoDigits : threeDigits).format(value * 100)} %` : threeDigits.format(value)
  const seconds = SECONDS[unit]
  if (seconds !== undefined) return format.weight(value * seconds * 1e9, 'ns')
  if (unit === 'bytes') return format.bytes(value)
  const number = Math.abs(value) < 1000 && !Number.isInteger(value) ? threeDigits.format(value) : integer.format(value)
  return `${number} ${(UNITS as Record<string, string>)[unit] ?? unit}`.trimEnd()
}

/** How far a value is from its threshold, relative to the threshold. */
export function distanceText(distance: number | null): string {
  if (distance === null || distance === 0) return ''
  return distance >= 1 ? 'far from the threshold' : `misses the threshold by ${threeDigits.format(distance * 100)} % of it`
}

/** Host and phase of a finding: `db7, before the incident`; empty when the evidence names neither. */
export function hostAndPhase(finding: Pick<Finding, 'host' | 'phase'>): string {
  const phase = finding.phase && finding.phase !== 'during' ? `${finding.phase} the incident` : ''
  return [finding.host, phase].filter(Boolean).join(', ')
}

/** A headline as what it claims and what decides it: `May be: a CPU cannot keep up` and ``Decides: `nstat -asz`.`` */
export function claimAndRest(headline: string): [claim: string, rest: string] {
  const at = headline.indexOf('. Decides: ')
  return at < 0 ? [headline, ''] : [headline.slice(0, at), headline.slice(at + 2)]
}

/** What a finding claims, without the command that decides it. */
export const claimOf = (finding: Pick<Finding, 'headline' | 'title'>) => claimAndRest(headlineOf(finding))[0]

/** The verdict with the title and what decides it; findings judged before headlines existed have a title only. */
export function headlineOf(finding: Pick<Finding, 'headline' | 'title'>): string {
  return finding.headline || finding.title
}

/** The numbers of a verdict: `score 12, confidence 0.93, coverage 0.56`. */
export function verdictNumbers({ score, confidence, coverage }: Pick<Finding, 'score' | 'confidence' | 'coverage'>): string {
  const parts = [`score ${threeDigits.format(score)}`]
  if (confidence !== null) parts.push(`confidence ${confidence.toFixed(2)}`)
  return [...parts, `coverage ${coverage.toFixed(2)}`].join(', ')
}

/** Whether a finding is in the main list: not superseded and not a near miss. */
export function isListed(finding: Finding): boolean {
  return !finding.is_near_miss && finding.superseded_by === '' && ['match', 'suspect', 'unknown'].includes(finding.verdict)
}

/** Conditions by role (required, supporting, context, excluding), then by weight. */
export function inOrder(clauses: readonly Clause[]): Clause[] {
  const roles = ['core', 'corroborates', 'context', 'rival']
  return clauses.toSorted((a, b) => roles.indexOf(a.role) - roles.indexOf(b.role) || b.weight - a.weight)
}
