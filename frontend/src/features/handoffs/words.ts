import type { Handoff } from '../../api'
import type { Tone } from '../../ui'

type State = Handoff['state']

/** What a state means, for whoever looks at it for the first time. */
export const STATES: Record<State, { word: string; tone: Tone; says: string }> = {
  preparing: { word: 'being made', tone: 'plain', says: 'Names are being replaced, and what is left is judged again. Nobody else sees any of it.' },
  failed: { word: 'failed', tone: 'match', says: 'Nothing was handed over.' },
  ready: { word: 'ready to look at', tone: 'suspect', says: 'Look at what redaction did, then make a link. Nobody else sees it before.' },
  offered: { word: 'offered', tone: 'suspect', says: 'The link is made; nobody has taken it over yet.' },
  accepted: { word: 'accepted', tone: 'calm', says: 'Somebody has taken it over.' },
  answered: { word: 'answered', tone: 'calm', says: 'There is an answer. Close it, or ask on.' },
  closed: { word: 'closed', tone: 'plain', says: 'It came to its end. Links still open it for reading until they end.' },
}

/** The way of a handoff, in order. */
export const STEPS: readonly State[] = ['offered', 'accepted', 'answered', 'closed']

const KINDS: Record<string, string> = {
  domain: 'domains',
  fqdn: 'full host names',
  host: 'host names',
  ipv4: 'IPv4 addresses',
  ipv4hex: 'IPv4 addresses of procfs',
  ipv6: 'IPv6 addresses',
  mac: 'hardware addresses',
  person: 'names of people',
  secret: 'keys, tokens and passwords',
  serial: 'serial numbers',
  user: 'users',
  uuid: 'ids of machines',
}

/** Kinds of names and how often each was replaced, the most frequent first. */
export function replaced(counts: Readonly<Record<string, number>>): { kind: string; label: string; count: number }[] {
  return Object.entries(counts)
    .map(([kind, count]) => ({ kind, label: KINDS[kind] ?? kind, count }))
    .toSorted((a, b) => b.count - a.count || a.label.localeCompare(b.label))
}

/** A verdict in words; "" is none. */
export function verdictWord(verdict: string): string {
  return verdict ? verdict.replaceAll('_', ' ') : 'not told'
}

/** A number of lines, in words. */
export function lines(count: number): string {
  return `${count.toLocaleString('en')} ${count === 1 ? 'line' : 'lines'}`
}

export type Part = { text: string; isChanged: boolean }

/** Whole names, and what stands between them: a pseudonym may share letters with the name by chance. */
const WORDS = /[\w.@-]+|[^\w.@-]+/g

/** A line before and after as parts, the changed ones marked; both have as many parts. */
export function difference(before: string, after: string): { before: Part[]; after: Part[] } {
  if (before.length !== after.length) return { before: [{ text: before, isChanged: true }], after: [{ text: after, isChanged: true }] }
  const told = { before: [] as Part[], after: [] as Part[] }
  for (const { 0: text, index } of before.matchAll(WORDS)) {
    const now = after.slice(index, index + text.length)
    const isChanged = text !== now
    const [last, lastNow] = [told.before.at(-1), told.after.at(-1)]
    if (last && lastNow && last.isChanged === isChanged) {
      last.text += text
      lastNow.text += now
    } else {
      told.before.push({ text, isChanged })
      told.after.push({ text: now, isChanged })
    }
  }
  return told
}

export function bytes(count: number): string {
  if (count < 1024) return `${count} B`
  const unit = Math.min(3, Math.floor(Math.log2(count) / 10))
  return `${(count / 1024 ** unit).toFixed(1)} ${['B', 'KiB', 'MiB', 'GiB'][unit]}`
}
