import type { Handoff, OpenClassName } from '../../api'
import type { Tone } from '../../ui'
import { verdictWords } from '../../words'

type State = Handoff['state']

/** Label, tone and description of each handoff state. */
export const STATES: Record<State, { label: string; tone: Tone; description: string }> = {
  preparing: { label: 'Redacting', tone: 'plain', description: 'Names are being replaced and verdicts recomputed. Nobody else has access.' },
  failed: { label: 'Failed', tone: 'match', description: 'Nothing was handed over.' },
  cancelled: { label: 'Cancelled', tone: 'plain', description: 'Nothing was handed over.' },
  ready: { label: 'Ready for review', tone: 'suspect', description: 'Review the redaction, then create a link. Until then nobody else has access.' },
  offered: { label: 'Offered', tone: 'suspect', description: 'A link exists; no recipient has accepted yet.' },
  accepted: { label: 'Accepted', tone: 'calm', description: 'A recipient has accepted the handoff.' },
  answered: { label: 'Answered', tone: 'calm', description: 'The recipient has answered. Close the handoff or reply.' },
  closed: { label: 'Closed', tone: 'plain', description: 'Links give read-only access until they expire.' },
}

/** States that a recipient sees, in order. */
export const STEPS: readonly State[] = ['offered', 'accepted', 'answered', 'closed']

const KINDS: Record<string, string> = {
  domain: 'domains',
  fqdn: 'full host names',
  host: 'host names',
  ipv4: 'IPv4 addresses',
  ipv4hex: 'IPv4 addresses in procfs format',
  ipv4net: 'IPv4 addresses in hexadecimal digits',
  ipv6: 'IPv6 addresses',
  ipv6word: 'IPv6 addresses in procfs format',
  mac: 'hardware addresses',
  person: 'names of people',
  project: 'projects, customers and resources',
  secret: 'keys, tokens and passwords',
  serial: 'serial numbers',
  user: 'users',
  uuid: 'machine ids',
}

/** Replacement counts by kind, most frequent first. */
export function replacementCounts(counts: Readonly<Record<string, number>>): { kind: string; label: string; count: number }[] {
  return Object.entries(counts)
    .map(([kind, count]) => ({ kind, label: KINDS[kind] ?? kind, count }))
    .toSorted((a, b) => b.count - a.count || a.label.localeCompare(b.label))
}

const OPEN_CLASSES: Record<OpenClassName, string> = {
  account: 'Accounts',
  host: 'Hosts and services',
  id: 'Serial numbers and ids',
  secret: 'Keys and passwords',
  word: 'Words',
}

/** Label of a class of open tokens. */
export function openClassLabel(name: OpenClassName): string {
  return OPEN_CLASSES[name]
}

/** Label of a verdict; "" means that the signature was not evaluated. */
export function verdictLabel(verdict: string): string {
  return verdictWords(verdict) || 'not evaluated'
}

/** Line count with its unit. */
export function lines(count: number): string {
  return `${count.toLocaleString('en')} ${count === 1 ? 'line' : 'lines'}`
}

export type Part = { text: string; isChanged: boolean }

/** Names and the text between them. Names are compared whole: a pseudonym may share characters with a name. */
const TOKENS = /[\w.@-]+|[^\w.@-]+/g

/** Split a line before and after redaction into equally many parts, changed ones marked. */
export function difference(before: string, after: string): { before: Part[]; after: Part[] } {
  if (before.length !== after.length) return { before: [{ text: before, isChanged: true }], after: [{ text: after, isChanged: true }] }
  const parts = { before: [] as Part[], after: [] as Part[] }
  for (const { 0: text, index } of before.matchAll(TOKENS)) {
    const replacement = after.slice(index, index + text.length)
    const isChanged = text !== replacement
    const [last, lastReplacement] = [parts.before.at(-1), parts.after.at(-1)]
    if (last && lastReplacement && last.isChanged === isChanged) {
      last.text += text
      lastReplacement.text += replacement
    } else {
      parts.before.push({ text, isChanged })
      parts.after.push({ text: replacement, isChanged })
    }
  }
  return parts
}

export function bytes(count: number): string {
  if (count < 1024) return `${count} B`
  const unit = Math.min(3, Math.floor(Math.log2(count) / 10))
  return `${(count / 1024 ** unit).toFixed(1)} ${['B', 'KiB', 'MiB', 'GiB'][unit]}`
}
