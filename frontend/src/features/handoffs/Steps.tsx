import styles from './handoffs.module.css'
import { STATES, STEPS } from './labels'

/** Progress of a handoff through its states. */
export function Steps({ state }: { state: keyof typeof STATES }) {
  const current = STEPS.indexOf(state)
  return (
    <ol className={styles.steps} aria-label="Handoff progress">
      {STEPS.map((step, index) => (
        <li key={step} data-done={index <= current || undefined} aria-current={index === current ? 'step' : undefined}>
          {STATES[step].label}
        </li>
      ))}
    </ol>
  )
}
