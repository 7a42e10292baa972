import type { CaseOverview } from '../../api'
import { QUESTION_LABELS } from '../../words'

type Question = CaseOverview['questions'][number]
type Statement = CaseOverview['statements'][number]
type GroupState = Question['state'] | 'partial'
export type QuestionGroup = { state: GroupState; label: string; titles: string[] }

const SHOWN = 3

/** The questions under their states, alarms first; states without a question are left out. */
export function questionGroups(questions: readonly Question[]): QuestionGroup[] {
  return QUESTION_LABELS.map(([state, label]) => ({
    state,
    label,
    titles: questions.filter((one) => (one.is_partial ? 'partial' : one.state) === state).map(titleOf),
  })).filter(({ titles }) => titles.length > 0)
}

function titleOf({ title, note }: Question): string {
  return note ? `${title} (${note})` : title
}

/** The statement that the headline is of, and those below it: first that statement in full, unless the headline is it as a whole. */
export function leadOf({ headline, statements }: CaseOverview): { lead: Statement | undefined; others: Statement[] } {
  const lead = statements[headline.statement ?? -1]
  const others = statements.filter((one) => one !== lead)
  return { lead, others: (lead && !headline.is_stated ? [lead, ...others] : others).slice(0, SHOWN) }
}

export type HostLead = NonNullable<CaseOverview['by_host']>[number]

/** The hosts of a headline: the first by name, the others by number. */
export function hostWords({ hosts }: HostLead): string {
  return hosts.length > 1 ? `${hosts[0]} and ${hosts.length - 1} more` : (hosts[0] ?? '')
}

/** What leads on the hosts that the headline is not of, and how many more hosts show something. */
export function otherHosts({ headline, by_host = [] }: CaseOverview): { leads: HostLead[]; more: number } {
  const others = by_host.filter(({ text, hosts }) => text !== '' && !hosts.includes(headline.host))
  return { leads: others.slice(0, SHOWN), more: others.slice(SHOWN).reduce((sum, { hosts }) => sum + hosts.length, 0) }
}

/** The alarm that is shown with the finding of the headline; facts are listed below it. */
export function strongestAlarm({ statements }: CaseOverview): Statement | undefined {
  return statements[0]?.kind === 'alarm' ? statements[0] : undefined
}

/** What the title of a case says: the sentence, how serious its kind is, and the statement that it is of, if any. */
export type Diagnosis = { text: string; kind: CaseOverview['headline']['kind'] | 'calm' | 'critical'; statement: Statement | undefined; chips: CaseOverview['headline']['chips']; mayBe: string }

/** The headline of a case as its title. */
export function diagnosisOf(overview: CaseOverview | undefined): Diagnosis | undefined {
  if (!overview || overview.evidence_rev === 0) return undefined
  const { kind, text, severity, chips, may_be: mayBe } = overview.headline
  if (kind === 'no evidence' || text === '') return undefined
  const statement = overview.statements[overview.headline.statement ?? -1]
  return { text, kind: isCalm(overview) ? 'calm' : kind === 'statement' && severity === 'critical' ? severity : kind, statement, chips, mayBe }
}

/** Whether something was assessed in full, nothing in it is unusual, and no signature is suspected. */
export function isCalm({ headline, suspicion, questions }: CaseOverview): boolean {
  if (suspicion || !['fact', 'nothing unusual', 'not assessed'].includes(headline.kind)) return false
  return questions.some(({ state, is_partial }) => state === 'no alarm' && !is_partial) && questions.every(({ state, is_partial }) => is_partial || state === 'no alarm' || state === 'not assessed')
}

/** The signature of the headline, else of the suspicion right below it; empty without either. */
export function leadingSignature(overview: CaseOverview | undefined): string {
  return overview?.headline.signature || overview?.suspicion?.signature || ''
}
