import { changeColours, format, STEPS } from '../../profile'
import styles from './flamegraph.module.css'
import { usePalette } from './usePalette'

/** Blue to orange, in words. */
export function DiffLegend({ prunedNodes, least }: { prunedNodes: number; least: number }) {
  const colours = changeColours(usePalette().isDark)
  return (
    <ul className={styles.legend} aria-label="Legend">
      <li>
        − less in B
        <svg width={colours.length * 7} height="11" aria-hidden="true">
          {colours.map((colour, at) => (
            <rect key={colour} x={at * 7} width="7" height="11" fill={colour} />
          ))}
        </svg>
        more in B +
      </li>
      <li>
        <svg width="11" height="11" aria-hidden="true">
          <rect width="11" height="11" fill={colours[STEPS]} />
        </svg>
        {least > 0 ? `changed by less than ${format.share(least)}` : 'the same'}
      </li>
      <li>the sign and the points stand on every box</li>
      {prunedNodes > 0 && <li>{format.count(prunedNodes)} frames are too small, or changed too little, to be shown</li>}
    </ul>
  )
}
