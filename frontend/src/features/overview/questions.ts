import type { CaseOverview } from '../../api'

type Question = CaseOverview['questions'][number]
type Statement = CaseOverview['statements'][number]
type GroupState = Question['state'] | 'partly assessed'
export type QuestionGroup = { state: GroupState; label: string; titles: string[] }

const LABELS: [GroupState, string][] = [
  ['alarm', 'Alarm'],
  ['unclassified errors', 'Unclassified errors'],
  ['notable', 'Notable'],
  ['no alarm', 'No alarm'],
  ['partly assessed', 'Partly assessed'],
  ['not assessed', 'Not assessed'],
]
const SHOWN = 3

/** The questions under their states, alarms first; states without a question are left out. */
export function questionGroups(questions: readonly Question[]): QuestionGroup[] {
  return LABELS.map(([state, label]) => ({
    state,
    label,
    titles: questions.filter((one) => (one.is_partial ? 'partly assessed' : one.state) === state).map(({ title }) => title),
  })).filter(({ titles }) => titles.length > 0)
}

/** The statement that is the headline, and the strongest of the others. */
export function leadOf({ headline, statements }: CaseOverview): { lead: Statement | undefined; others: Statement[] } {
  const lead = statements[0]?.text === headline.text ? statements[0] : undefined
  const start = lead ? 1 : 0
  return { lead, others: statements.slice(start, start + SHOWN) }
}

/** The alarm that is shown with the finding of the headline; facts are listed below it. */
export function strongestAlarm({ statements }: CaseOverview): Statement | undefined {
  return statements[0]?.kind === 'alarm' ? statements[0] : undefined
}
