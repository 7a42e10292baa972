import { changeColours, format, STEPS } from '../../profile'
import styles from './legend.module.css'
import { usePalette } from './usePalette'

/** The legend of a comparison: colour scale and hidden frames. */
export function DiffLegend({ prunedNodes, minDelta }: { prunedNodes: number; minDelta: number }) {
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
        {minDelta > 0 ? `changed by less than ${format.share(minDelta)}` : 'unchanged'}
      </li>
      <li>every box shows the signed change</li>
      {prunedNodes > 0 && <li>{format.count(prunedNodes)} frames below the thresholds are hidden</li>}
    </ul>
  )
}
