import type { Clause, Decide } from './document'

export type Answer = 'yes' | 'no' | 'open'
export type Answers = Readonly<Record<string, Answer>>
export type Conclusion = { verdict: 'match' | 'suspect' | 'no_match' | 'unknown'; text: string }

/** Conditions to answer by hand, in the order to look: required ones, alternatives, then supporting ones. */
export function stepsOf(clauses: readonly Clause[]): { title: string; clauses: Clause[] }[] {
  const of = (...roles: string[]) => clauses.filter((clause) => roles.includes(clause.role) && (clause.weight > 0 || clause.isVeto))
  return [
    { title: 'Signs', clauses: of('core') },
    { title: 'Alternatives to rule out', clauses: of('rival') },
    { title: 'Supports it', clauses: of('corroborates', 'context') },
  ].filter((step) => step.clauses.length > 0)
}

/** What the answers decide, by the rules that the judge applies to evidence; each "yes" counts in full. */
export function conclude(clauses: readonly Clause[], decide: Decide, answers: Answers): Conclusion {
  const is = (id: string, answer: Answer) => (answers[id] ?? 'open') === answer
  const titleOf = (id: string) => clauses.find((clause) => clause.id === id)?.title ?? id
  const titles = (ids: readonly string[], joint: string) => ids.map((id) => `“${titleOf(id)}”`).join(joint)
  const veto = clauses.find((clause) => clause.isVeto && is(clause.id, 'yes'))
  if (veto) return { verdict: 'no_match', text: `Not this: “${veto.title}” excludes it.` }
  const { require, match, suspect } = decide
  const refuted = [...require.all, ...require.notFalse].find((id) => is(id, 'no'))
  if (refuted) return { verdict: 'no_match', text: `Not this: it needs “${titleOf(refuted)}”.` }
  if (require.any.length > 0 && require.any.every((id) => is(id, 'no'))) return { verdict: 'no_match', text: `Not this: it needs ${titles(require.any, ' or ')}.` }
  const yes = clauses.filter((clause) => is(clause.id, 'yes'))
  const score = yes.reduce((sum, clause) => sum + (clause.role === 'rival' ? -clause.weight : clause.weight), 0)
  const core = yes.some((clause) => clause.role === 'core')
  const rivals = clauses.filter((clause) => clause.role === 'rival' && is(clause.id, 'open') && !clause.ruledOutBy.some((id) => is(id, 'yes')))
  const open = [...require.all, ...match.all].filter((id, at, all) => is(id, 'open') && all.indexOf(id) === at)
  const groups = [require.any, match.any].filter((ids) => ids.length > 0 && !ids.some((id) => is(id, 'yes')))
  const few = require.atLeast.of.filter((id) => is(id, 'yes')).length < require.atLeast.count
  const pairless = match.pairs.length > 0 && !match.pairs.some((pair) => pair.every((id) => is(id, 'yes')))
  const isWhole = open.length === 0 && groups.length === 0 && !few && !pairless && match.all.every((id) => is(id, 'yes'))
  if (core && isWhole && score >= match.score && rivals.length === 0) return { verdict: 'match', text: `It is this: every sign it needs is there${clauses.some(({ role }) => role === 'rival') ? ', and no alternative is open' : ''}.` }
  const next = open.length > 0 ? `Look next at “${titleOf(open[0] ?? '')}”.` : groups.length > 0 ? `Look for ${titles(groups[0] ?? [], ' or ')}.` : rivals.length > 0 ? `Rule out “${rivals[0]?.title}”.` : ''
  const isSuspect = suspect.any.length === 0 || suspect.any.some((id) => is(id, 'yes'))
  if (core && isSuspect && score >= suspect.score) return { verdict: 'suspect', text: next || 'The signs do not suffice, or one contradicts.' }
  return { verdict: 'unknown', text: next || 'The answers do not decide it.' }
}
