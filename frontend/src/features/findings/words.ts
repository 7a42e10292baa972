import type { Affected, Clause, Finding, Verdict } from '../../api'
import { format } from '../../profile'
import type { Tone } from '../../ui'

export const VERDICT_WORDS: Record<Verdict, string> = {
  match: 'Match',
  suspect: 'Suspected',
  unknown: 'Undecided',
  no_match: 'No match',
  not_applicable: 'Not applicable',
}

export const VERDICT_TONES: Record<Verdict, Tone> = { match: 'match', suspect: 'suspect', unknown: 'plain', no_match: 'plain', not_applicable: 'plain' }

const AFFECTED_WORDS: Record<string, [string, Tone]> = {
  affected: ['Affected', 'match'],
  fixed: ['Fixed', 'calm'],
  not_affected: ['Not affected', 'calm'],
  unknown: ['Unknown', 'plain'],
}

export function affectedWords({ verdict }: Affected): [string, Tone] {
  return AFFECTED_WORDS[verdict] ?? [verdict.replaceAll('_', ' '), 'plain']
}

export type Mark = { sign: string; words: string; tone: 'met' | 'open' | 'unmet' | 'hidden' }

/** What a state means for the reader: a rival that is TRUE speaks against the finding. */
export function markOf({ state, role }: Pick<Clause, 'state' | 'role'>): Mark {
  if (state === 'UNKNOWN') return { sign: '?', words: 'not known', tone: 'open' }
  if (state === 'NOT_OBSERVABLE') return { sign: '–', words: 'this kernel cannot show it', tone: 'hidden' }
  if (role === 'rival') return state === 'TRUE' ? { sign: '✗', words: 'rival present', tone: 'unmet' } : { sign: '✓', words: 'rival excluded', tone: 'met' }
  return state === 'TRUE' ? { sign: '✓', words: 'met', tone: 'met' } : { sign: '✗', words: 'not met', tone: 'unmet' }
}

const SHORT: Record<string, string> = { count: '', share: '', per_second: '/s' }
const SECONDS: Record<string, number> = { ns: 1e-9, us: 1e-6, ms: 1e-3, s: 1, seconds: 1 }
const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 })
const three = new Intl.NumberFormat('en', { maximumSignificantDigits: 3 })

/** A value as a person reads it: `40.8 %`, `231 s`, `4 GiB`, `6,041,560`; counts are told to the last digit. */
export function quantity(value: number | string | null, unit: string): string {
  if (value === null) return '–'
  if (typeof value === 'string') return value
  if (unit === 'share' && value <= 10) return value === 0 || value >= 0.0001 ? `${three.format(value * 100)} %` : three.format(value)
  const seconds = SECONDS[unit]
  if (seconds !== undefined) return format.weight(value * seconds * 1e9, 'ns')
  if (unit === 'bytes') return format.bytes(value)
  const told = Math.abs(value) < 1000 && !Number.isInteger(value) ? three.format(value) : whole.format(value)
  return `${told} ${SHORT[unit] ?? unit}`.trimEnd()
}

export function distanceWords(distance: number | null): string {
  if (distance === null || distance === 0) return ''
  return distance >= 1 ? 'far from its threshold' : `${three.format(distance * 100)} % short of its threshold`
}

export function where(finding: Pick<Finding, 'host' | 'phase'>): string {
  const host = finding.host || 'an unnamed host'
  return finding.phase && finding.phase !== 'during' ? `${host}, ${finding.phase} the incident` : host
}

/** The one sentence on top of the card. */
export function sentence(finding: Finding): string {
  const on = `on ${where(finding)}`
  if (finding.verdict === 'match') return `This is what happened ${on}.`
  if (finding.verdict === 'suspect') return `This is likely what happened ${on}; it is not proved yet.`
  if (finding.verdict === 'unknown') return `The evidence from ${where(finding)} does not decide this.`
  return `This is not what happened ${on}.`
}

/** Confidence and coverage in words, each with what it means here. */
export function certainty(finding: Finding): { label: string; value: string; meaning: string }[] {
  const decidable = finding.clauses.filter((clause) => clause.state === 'TRUE' || clause.state === 'FALSE').length
  const observable = finding.clauses.filter((clause) => clause.state !== 'NOT_OBSERVABLE').length
  const coverage = { label: 'Coverage', value: finding.coverage_word, meaning: `${decidable} of ${observable} conditions could be decided from this evidence` }
  if (finding.confidence === null) return [coverage]
  const met = finding.clauses.filter((clause) => clause.role !== 'rival' && clause.state === 'TRUE').length
  const rivals = finding.rivals_open.length > 0 ? '; rivals not excluded' : ''
  return [{ label: 'Confidence', value: finding.confidence_word ?? '', meaning: `${met} ${met === 1 ? 'condition' : 'conditions'} met${rivals}` }, coverage]
}

export function isListed(finding: Finding): boolean {
  return !finding.is_near_miss && finding.superseded_by === '' && ['match', 'suspect', 'unknown'].includes(finding.verdict)
}

/** Proof first: what speaks for it, what is open, what speaks against it; rivals last. */
export function inOrder(clauses: readonly Clause[]): Clause[] {
  const roles = ['core', 'corroborates', 'context', 'rival']
  return clauses.toSorted((a, b) => roles.indexOf(a.role) - roles.indexOf(b.role) || b.weight - a.weight)
}
