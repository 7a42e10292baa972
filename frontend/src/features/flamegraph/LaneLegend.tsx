import type { Lanes } from '../../api'
import { commColour, format, laneColours } from '../../profile'
import styles from './legend.module.css'
import { usePalette } from './usePalette'

/** Colours in the legend, most samples first. */
const LEGEND_COLOURS = 8

/** The colours of the commands, each by its command with most samples. */
export function LaneLegend({ lanes }: { lanes: Lanes }) {
  const { isDark } = usePalette()
  const samples = new Map<string, number>()
  for (let at = 0; at < lanes.thread.length; at++) {
    const { comm } = lanes.threads[lanes.thread[at] ?? -1] ?? { comm: '' }
    samples.set(comm, (samples.get(comm) ?? 0) + (lanes.samples[at] ?? 0))
  }
  const commands = [...samples].toSorted((a, b) => b[1] - a[1])
  const byColour = new Map<number, string[]>()
  for (const [comm] of commands) byColour.set(commColour(comm), [...(byColour.get(commColour(comm)) ?? []), comm || 'unnamed'])
  const shown = [...byColour].slice(0, LEGEND_COLOURS)
  return (
    <ul className={styles.legend} aria-label="Colours of commands">
      {shown.map(([colour, comms]) => (
        <li key={colour} title={comms.join(', ')}>
          <svg width="11" height="11" aria-hidden="true">
            <rect width="11" height="11" fill={laneColours(isDark)[colour]} />
          </svg>
          {comms[0]}
          {comms.length > 1 && ` and ${format.count(comms.length - 1)} more`}
        </li>
      ))}
    </ul>
  )
}
