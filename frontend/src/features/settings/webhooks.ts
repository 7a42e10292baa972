import type { Delivery, Destination, DestinationCreate } from '../../api'

type Kind = NonNullable<DestinationCreate['kinds']>[number]

/** Kinds of events with their labels, as the form lists them. */
export const KINDS: readonly { kind: Kind; label: string }[] = [
  { kind: 'case.created', label: 'case opened' },
  { kind: 'case.changed', label: 'case changed' },
  { kind: 'case.deleted', label: 'case deleted' },
  { kind: 'case.restored', label: 'case restored' },
  { kind: 'alert.fired', label: 'alert fired' },
  { kind: 'alert.resolved', label: 'alert resolved' },
  { kind: 'evidence.read', label: 'evidence read' },
  { kind: 'evidence.failed', label: 'evidence failed' },
  { kind: 'findings.judged', label: 'findings judged' },
  { kind: 'hunt.changed', label: 'retro-hunt changed findings' },
  { kind: 'search.matched', label: 'saved search matched' },
  { kind: 'destination.disabled', label: 'webhook disabled' },
  { kind: 'incident.event_added', label: 'incident event' },
  { kind: 'note.written', label: 'note written' },
  { kind: 'handoff.ready', label: 'handoff ready' },
  { kind: 'handoff.offered', label: 'handoff shared' },
  { kind: 'handoff.accepted', label: 'handoff accepted' },
  { kind: 'handoff.answered', label: 'handoff answered' },
  { kind: 'handoff.closed', label: 'handoff closed' },
]

/** Where events can be sent, with an example of the URL that each needs. */
export const CHANNELS = [
  { channel: 'webhook', label: 'Webhook', url: 'https://hooks.example.com/casebook' },
  { channel: 'slack', label: 'Slack', url: 'https://hooks.slack.com/…, or token and channel' },
  { channel: 'teams', label: 'Teams', url: 'https://….logic.azure.com/…' },
  { channel: 'github', label: 'GitHub issues', url: 'https://api.github.com' },
  { channel: 'apprise', label: 'Mail and others', url: 'mailtos://user:password@example.com?to=…' },
] as const

export const urlOf = (channel: string): string => CHANNELS.find((one) => one.channel === channel)?.url ?? ''

const LABELS = new Map<string, string>(KINDS.map(({ kind, label }) => [kind, label]))

export const kindWords = (kind: string): string => LABELS.get(kind) ?? kind

/** Which events a webhook receives, in words: `case opened, findings judged · severity high or above`. */
export function filterWords({ kinds, severity, team_id, team, search_id, search }: Pick<Destination, 'kinds' | 'severity' | 'team_id' | 'team' | 'search_id' | 'search'>): string {
  return [
    kinds.length === 0 ? 'all events' : kinds.map(kindWords).join(', '),
    severity !== null && (severity === 'critical' ? 'severity critical' : `severity ${severity} or above`),
    team_id !== null && (team === null ? 'a team that was deleted' : `team ${team}`),
    search_id !== null && (search === null ? 'a saved search that was deleted' : `search “${search}”`),
  ]
    .filter(Boolean)
    .join(' · ')
}

/** Whether a filter refers to what is gone, so that nothing is sent. */
export const admitsNothing = ({ team_id, team, search_id, search }: Pick<Destination, 'team_id' | 'team' | 'search_id' | 'search'>): boolean =>
  (team_id !== null && team === null) || (search_id !== null && search === null)

/** The state of a delivery: `delivered`, `waiting, 3 attempts`. */
export function stateOf({ state, attempts }: Pick<Delivery, 'state' | 'attempts'>): string {
  const times = `${attempts} ${attempts === 1 ? 'attempt' : 'attempts'}`
  if (state === 'delivered') return attempts > 1 ? `delivered, ${times}` : 'delivered'
  if (state === 'failed') return `failed, ${times}`
  return attempts === 0 ? 'waiting' : `waiting, ${times}`
}
