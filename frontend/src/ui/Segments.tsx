import styles from './controls.module.css'

type Props<T extends string> = { label: string; value: T; options: readonly { value: T; label: string; hint?: string }[]; onChange: (value: T) => void }

/** Segmented control: a row of options, one selected. */
export function Segments<T extends string>({ label, value, options, onChange }: Props<T>) {
  return (
    <div role="group" aria-label={label} className={styles.segments}>
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          className={styles.segment}
          aria-pressed={option.value === value}
          title={option.hint}
          onClick={() => onChange(option.value)}
        >
          {option.label}
        </button>
      ))}
    </div>
  )
}
