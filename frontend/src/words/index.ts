/** Words for people, generated from the table of the engine: `python -m signatures.rendering.words`. */
import words from './words.json'
import type { Affected, Clause, Finding, Verdict } from '../api'

type State = Pick<Clause, 'state' | 'reason' | 'observed'>

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
const asLabels = <T extends Record<string, string>>(table: T) => Object.fromEntries(Object.entries(table).map(([key, text]) => [key, capital(text)])) as Record<keyof T, string>

/** A verdict as a label: `May be`. */
export const VERDICT_LABELS: Record<Verdict, string> = asLabels(words.verdicts)

/** A verdict inside a sentence: `may be`; a value that is none as it is. */
export const verdictWords = (verdict: string): string => (words.verdicts as Record<string, string>)[verdict] ?? verdict.replaceAll('_', ' ')

/** Each state of a question with its label, in the order in which they are shown; `partial` is one not assessed in full. */
export const QUESTION_LABELS = Object.entries(asLabels(words.questions)) as [keyof typeof words.questions, string][]

/** The kernel status inside a sentence. */
export const kernelWords = (verdict: Affected['verdict']): string => (words.kernel as Record<string, string>)[verdict] ?? verdict.replaceAll('_', ' ')

export const { conditions: CONDITIONS, units: UNITS, noSignature: NO_SIGNATURE, excludes: EXCLUDES, columns: CASE_COLUMNS } = words
export const ROLES: Record<string, string> = words.roles

/** The verdict of a finding as a label: not looked at where nothing that could decide it was in the evidence. */
export function verdictLabel({ verdict, clauses }: Pick<Finding, 'verdict' | 'clauses'>): string {
  const own = clauses.filter(({ role }) => role !== 'rival')
  return verdict === 'unknown' && own.length > 0 && !own.some(isLookedAt) ? capital(words.notLookedAt) : VERDICT_LABELS[verdict]
}

/** The state of a condition, without its reason. */
export const stateWords = (clause: State): string => (isLookedAt(clause) ? words.conditions[clause.state] : words.notLookedAt)

/** Why a condition is not met or not decided; empty where it is met or nothing more is known. */
export function reasonWords({ state, reason }: Pick<Clause, 'state' | 'reason'>): string {
  if (state === 'TRUE') return ''
  if (state === 'NOT_OBSERVABLE') return words.notObservable
  const [word = '', ...details] = reason.split(': ')
  const detail = details.join(': ')
  if (word === words.absent) return detail
  return [(words.reasons as Record<string, string>)[word] ?? word, detail].filter(Boolean).join(': ')
}

function isLookedAt({ state, reason, observed }: State): boolean {
  return state !== 'UNKNOWN' || reason.split(': ')[0] !== words.absent || observed !== null
}
