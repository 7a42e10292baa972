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

/** The statement that is the headline, and the strongest of the others. */
export function leadOf({ headline, statements }: CaseOverview): { lead: Statement | undefined; others: Statement[] } {
  // A headline may say first what was assessed: `Only IO could be assessed: …`.
  const lead = headline.is_stated && headline.statement === 0 ? statements[0] : undefined
  const start = lead ? 1 : 0
  return { lead, others: statements.slice(start, start + SHOWN) }
}

/** The alarm that is shown with the finding of the headline; facts are listed below it. */
export function strongestAlarm({ statements }: CaseOverview): Statement | undefined {
  return statements[0]?.kind === 'alarm' ? statements[0] : undefined
}

/** What the title of a case says: the sentence, how serious its kind is, and the statement that it is of, if any. */
export type Diagnosis = { text: string; kind: CaseOverview['headline']['kind'] | 'calm' | 'critical'; statement: Statement | undefined }

/** The headline of a case as its title. */
export function diagnosisOf(overview: CaseOverview | undefined): Diagnosis | undefined {
  if (!overview || overview.evidence_rev === 0) return undefined
  const { kind, text, severity } = overview.headline
  if (kind === 'no evidence' || text === '') return undefined
  const statement = overview.statements[overview.headline.statement ?? -1]
  return { text: text, kind: isCalm(overview) ? 'calm' : kind === 'statement' && severity === 'critical' ? severity : kind, statement }
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
