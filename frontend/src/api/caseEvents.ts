import { keys } from './keys'
import type { CaseEvent } from './types'

export type Resource = CaseEvent['changes'][number]

/**
 * Which cached answers show a resource, by the names that events give.
 *
 * `similar` has none: its key carries the revision that was judged, so a new judgement asks a new question.
 */
const SHOWN: Record<Resource, (caseId: string) => readonly unknown[] | undefined> = {
  access: keys.caseAccess,
  analyses: keys.analyses,
  captures: keys.captures,
  case: keys.caseHead,
  evidence: keys.evidence,
  facts: keys.allFacts,
  findings: keys.findings,
  handoffs: keys.handoffs,
  histograms: (caseId) => keys.caseNumbers(caseId, 'histograms'),
  hosts: keys.hosts,
  labels: keys.labels,
  origins: keys.origins,
  phases: keys.phases,
  profiles: keys.profiles,
  series: (caseId) => keys.caseNumbers(caseId, 'series'),
  similar: () => undefined,
  stories: keys.caseStories,
  timeline: keys.timeline,
  uploads: keys.uploads,
}

/** The cached answers that events changed; all of the case when one of them names what this page does not know. */
export function changedKeys(caseId: string, changes: Iterable<string>): (readonly unknown[])[] {
  const changed: (readonly unknown[])[] = []
  for (const name of new Set(changes)) {
    if (!Object.hasOwn(SHOWN, name)) return [keys.case(caseId)]
    const key = SHOWN[name as Resource](caseId)
    if (key) changed.push(key)
  }
  return changed
}

/** What an event says that it changed; undefined when it does not say. */
export function changesOf(data: string): string[] | undefined {
  try {
    const { changes } = JSON.parse(data) as { changes?: unknown }
    return Array.isArray(changes) && changes.every((name) => typeof name === 'string') ? changes : undefined
  } catch {
    return undefined
  }
}
