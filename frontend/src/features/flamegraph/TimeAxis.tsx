import styles from './axis.module.css'

/** A tick by its label and its place, as a share of the width: paper is narrower than the screen. */
export type Tick = { label: string; at: number }
type Props = { ticks: readonly Tick[]; className?: string | undefined }

/** The labelled ticks below a view. */
export function TimeAxis({ ticks, className }: Props) {
  return (
    <div className={[styles.axis, className].filter(Boolean).join(' ')} aria-hidden="true">
      {ticks.map(({ label, at }) => (
        <span key={`${label} ${at}`} style={{ left: `${at * 100}%` }}>
          {label}
        </span>
      ))}
    </div>
  )
}
