import { keys } from './keys'
import type { CaseEvent } from './types'

export type Resource = CaseEvent['changes'][number]

/**
 * Query keys by resource name, as named in events.
 *
 * `similar` has none: its key contains the revision of the findings.
 */
const QUERY_KEYS: Record<Resource, (caseId: string) => readonly unknown[] | undefined> = {
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
  incident: keys.incident,
  labels: keys.labels,
  origins: keys.origins,
  phases: keys.phases,
  profiles: keys.profiles,
  'seen-before': keys.seenBefore,
  series: (caseId) => keys.caseNumbers(caseId, 'series'),
  'signature-drafts': keys.signatureDrafts,
  similar: () => undefined,
  stories: keys.caseStories,
  timeline: keys.timeline,
  uploads: keys.uploads,
  waits: keys.waits,
}

/** Query keys to invalidate after events; the key of the whole case if a resource is unknown. */
export function changedKeys(caseId: string, changes: Iterable<string>): (readonly unknown[])[] {
  const changed: (readonly unknown[])[] = []
  for (const name of new Set(changes)) {
    if (!Object.hasOwn(QUERY_KEYS, name)) return [keys.case(caseId)]
    const key = QUERY_KEYS[name as Resource](caseId)
    if (key) changed.push(key)
  }
  return changed
}

/** Resources of the first screen. */
const URGENT: ReadonlySet<string> = new Set(['case', 'findings'])
/** Resources that are visible beside it; refetched less often while many files are read. */
const VISIBLE: ReadonlySet<string> = new Set(['analyses', 'evidence', 'profiles'])

/**
 * The changed resources to refetch while many files are read: those of the first screen, and with `withVisible`
 * those beside it. The others can wait for the last file.
 */
export function urgentChanges(changes: Iterable<string>, withVisible: boolean): string[] {
  return [...changes].filter((name) => URGENT.has(name) || !Object.hasOwn(QUERY_KEYS, name) || (withVisible && VISIBLE.has(name)))
}

/** What an event says: the resources it lists as changed, without a valid list undefined, and its time in ms since the epoch, or NaN. */
export function readEvent(data: string): { changes: string[] | undefined; at: number } {
  try {
    const { at, changes } = JSON.parse(data) as { at?: unknown; changes?: unknown }
    const isList = Array.isArray(changes) && changes.every((name) => typeof name === 'string')
    return { changes: isList ? changes : undefined, at: typeof at === 'string' ? Date.parse(at) : Number.NaN }
  } catch {
    return { changes: undefined, at: Number.NaN }
  }
}

/** For answers that are shown again without a request, clocks of several servers, and seconds in the header of an answer. */
const SLACK_MS = 15_000

/**
 * The time before which the page has seen all events, in ms since the epoch by the clock of the server.
 *
 * A stream begins with all events of the case, which the answers that the page asked for meanwhile include.
 *
 * @param date The header `Date` of the answer that begins the stream.
 * @param waitedMs Time from the first requests of the page to that answer.
 */
export function seenUntil(date: string | null, waitedMs: number): number {
  const answered = Date.parse(date ?? '')
  return Number.isNaN(answered) ? -Infinity : answered - waitedMs - SLACK_MS
}
