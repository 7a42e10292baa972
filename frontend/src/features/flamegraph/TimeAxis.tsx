import styles from './axis.module.css'

/** A tick by its label and its place: pixels, or a CSS length such as a percentage. */
export type Tick = { label: string; left: number | string }
type Props = { ticks: readonly Tick[]; className?: string | undefined }

/** The labelled ticks below a view. */
export function TimeAxis({ ticks, className }: Props) {
  return (
    <div className={[styles.axis, className].filter(Boolean).join(' ')} aria-hidden="true">
      {ticks.map(({ label, left }) => (
        <span key={`${label} ${left}`} style={{ left }}>
          {label}
        </span>
      ))}
    </div>
  )
}
