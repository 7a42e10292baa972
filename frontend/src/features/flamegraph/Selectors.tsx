import { type Overview, type Profile, type StackOrder, useWhole } from '../../api'
import { format } from '../../profile'
import { Button } from '../../ui'
import { pinOfRange, pinOfThread } from './pin'
import { hasRange, seconds, withoutRange } from './selection'
import styles from './selection.module.css'
import type { GraphState } from './types'

type Props = { profile: Profile; siblings: readonly Profile[]; state: GraphState; onProfile: (id: string) => void; onChange: (change: Partial<GraphState>) => void }

const ORDERS: readonly { value: StackOrder; label: string }[] = [
  { value: 'left-heavy', label: 'Left-heavy' },
  { value: 'alpha', label: 'A–Z' },
  { value: 'time', label: 'First seen' },
]

/** Filters of the samples (event, weight, thread, CPU, time, idle) and options of the stack layout. */
export function Selectors({ profile, siblings, state, onProfile, onChange }: Props) {
  const overview = useWhole(profile.id).data
  const { selection } = state
  const select = (change: Partial<GraphState['selection']>) => onChange({ selection: { ...selection, ...change }, zoom: null, node: null })
  const isIdleHidden = selection.idle === false
  const isStacks = state.look === 'flame' || state.look === 'icicle'
  return (
    <div className={styles.selectors} role="group" aria-label="Filters">
      {isStacks && (
        <select className={styles.choice} aria-label="Order of callees" value={state.order} onChange={(event) => onChange({ order: event.target.value as StackOrder })}>
          {ORDERS.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      )}
      {isStacks && (
        <Button aria-pressed={state.inverted} data-primary={state.inverted || undefined} title="Innermost functions first (i)" onClick={() => onChange({ inverted: !state.inverted, zoom: null, node: null })}>
          Inverted
        </Button>
      )}
      {siblings.length > 1 && (
        <select className={styles.choice} aria-label="Event" value={profile.id} onChange={(event) => onProfile(event.target.value)}>
          {siblings.map((one) => (
            <option key={one.id} value={one.id}>
              {one.event || one.what}
            </option>
          ))}
        </select>
      )}
      {profile.has_weights && profile.unit !== 'samples' && (
        <select className={styles.choice} aria-label="Weight" value={selection.weight ?? 'own'} onChange={(event) => select({ weight: event.target.value === 'samples' ? 'samples' : undefined })}>
          <option value="own">{profile.unit.startsWith('period:') ? 'by period' : `by ${profile.unit}`}</option>
          <option value="samples">by samples</option>
        </select>
      )}
      {overview && <ThreadSelect overview={overview} state={state} onSelect={select} />}
      {overview && overview.cpus.length > 1 && (
        <select
          className={styles.choice}
          aria-label="CPU"
          value={selection.cpu?.length === 1 ? selection.cpu[0] : selection.cpu ? 'several' : ''}
          onChange={(event) => select({ cpu: event.target.value === '' ? undefined : [Number(event.target.value)] })}
        >
          <option value="">all {overview.cpus.length} CPUs</option>
          {selection.cpu && selection.cpu.length > 1 && <option value="several">CPUs {selection.cpu.join(', ')}</option>}
          {overview.cpus.map(({ cpu, weight }) => (
            <option key={cpu} value={cpu}>
              CPU {cpu} · {format.share(weight / (overview.whole.weight || 1))}
            </option>
          ))}
        </select>
      )}
      {overview && overview.whole.idle_share > 0 && (
        <Button aria-pressed={isIdleHidden} title="Samples whose innermost function is the idle loop" onClick={() => select({ idle: isIdleHidden ? undefined : false })}>
          {isIdleHidden ? 'Idle hidden' : 'Idle'}: {format.share(overview.whole.idle_share)}
        </Button>
      )}
      {isStacks && !state.inverted && (
        <Button aria-pressed={state.showsNameless} title="Neighbouring frames of user space without symbols are one box" onClick={() => onChange({ showsNameless: !state.showsNameless, zoom: null, node: null })}>
          Frames without symbols: {state.showsNameless ? 'shown' : 'joined'}
        </Button>
      )}
    </div>
  )
}

/** Selects a command or a thread; a thread is identified by its TID. */
function ThreadSelect({ overview, state, onSelect }: { overview: Overview; state: GraphState; onSelect: (change: Partial<GraphState['selection']>) => void }) {
  const { comm, tid } = state.selection
  const totalWeight = overview.whole.weight || 1
  const threads = overview.threads.filter((thread) => thread.tid >= 0)
  if (overview.comm_count < 2 && threads.length < 2) return null
  return (
    <select
      className={styles.choice}
      aria-label="Command or thread"
      value={tid?.length ? `tid:${tid[0]}` : comm?.length ? `comm:${comm[0]}` : ''}
      onChange={({ target: { value } }) =>
        onSelect({ comm: value.startsWith('comm:') ? [value.slice(5)] : undefined, tid: value.startsWith('tid:') ? [Number(value.slice(4))] : undefined })
      }
    >
      <option value="">all {format.count(overview.comm_count)} commands</option>
      <optgroup label="Commands">
        {overview.comms.map((one) => (
          <option key={one.comm} value={`comm:${one.comm}`}>
            {one.comm || 'unnamed'} · {format.share(one.weight / totalWeight)}
          </option>
        ))}
      </optgroup>
      {threads.length > 1 && (
        <optgroup label="Threads">
          {threads.map((thread) => (
            <option key={`${thread.pid} ${thread.tid}`} value={`tid:${thread.tid}`}>
              {thread.comm} {thread.tid} · {format.share(thread.weight / totalWeight)}
            </option>
          ))}
        </optgroup>
      )}
    </select>
  )
}

/** How many filters are active. */
export function filterCount({ selection, showsNameless }: GraphState): number {
  const { focus, hide, merge, cpu, tid, comm, idle, weight, collapse_recursion } = selection
  return [cpu, tid, comm, idle !== undefined, weight, collapse_recursion, showsNameless, hasRange(selection)].filter(Boolean).length + [focus, hide, merge].reduce((sum, list) => sum + (list?.length ?? 0), 0)
}

/** The active filters as removable chips, and buttons to pin them. */
export function FilterChips({ profileId, state, onChange }: { profileId: string; state: GraphState; onChange: Props['onChange'] }) {
  const threads = useWhole(profileId).data?.threads ?? []
  const { selection } = state
  const tid = selection.tid?.length === 1 ? selection.tid[0] : undefined
  const pinnable = [
    { pin: pinOfRange(selection), label: 'this time' },
    { pin: tid === undefined ? null : pinOfThread(tid, threads.find((thread) => thread.tid === tid)?.comm ?? ''), label: 'this thread' },
  ].filter((one): one is { pin: string; label: string } => one.pin !== null && !state.pins.includes(one.pin))
  const apply = (next: GraphState['selection']) => onChange({ selection: next, zoom: null, node: null })
  const chips: { label: string; name: string; without: GraphState['selection'] }[] = []
  if (hasRange(selection)) {
    const { t0, t1, from_sample, to_sample } = selection
    const label = t0 !== undefined ? `${seconds(t0)}–${seconds(t1 ?? 0)} s` : `samples ${format.count((from_sample ?? 0) + 1)}–${format.count(to_sample ?? 0)}`
    chips.push({ label, name: '', without: withoutRange(selection) })
  }
  for (const [key, label] of [['focus', 'only through'], ['hide', 'without'], ['merge', 'merged']] as const) {
    for (const name of selection[key] ?? []) chips.push({ label, name, without: { ...selection, [key]: selection[key]?.filter((other) => other !== name) } })
  }
  const { cpu, tid: tids, comm } = selection
  if (cpu) chips.push({ label: `CPU ${cpu.join(', ')}`, name: '', without: { ...selection, cpu: undefined } })
  if (tids) chips.push({ label: 'thread', name: tids.map((one) => `${threads.find((thread) => thread.tid === one)?.comm ?? ''} ${one}`.trim()).join(', '), without: { ...selection, tid: undefined } })
  if (comm) chips.push({ label: 'command', name: comm.join(', '), without: { ...selection, comm: undefined } })
  if (selection.idle === false) chips.push({ label: 'without idle', name: '', without: { ...selection, idle: undefined } })
  if (selection.collapse_recursion) chips.push({ label: 'recursion collapsed', name: '', without: { ...selection, collapse_recursion: undefined } })
  return (
    <>
      {chips.map(({ label, name, without }) => (
        <button key={`${label} ${name}`} type="button" className={styles.chip} aria-label={`Remove: ${label} ${name}`} onClick={() => apply(without)}>
          {label} {name && <code>{name}</code>} <span aria-hidden="true">×</span>
        </button>
      ))}
      {pinnable.map(({ pin, label }) => (
        <Button key={pin} title="Stored in the link" onClick={() => onChange({ pins: [...state.pins, pin] })}>
          Pin {label}
        </Button>
      ))}
    </>
  )
}
