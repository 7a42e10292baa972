import styles from './handoffs.module.css'
import { STATES, STEPS } from './words'

/** How far a handoff is on its way. */
export function Steps({ state }: { state: keyof typeof STATES }) {
  const at = STEPS.indexOf(state)
  return (
    <ol className={styles.steps} aria-label="Way of the handoff">
      {STEPS.map((step, place) => (
        <li key={step} data-done={place <= at || undefined} aria-current={place === at ? 'step' : undefined}>
          {STATES[step].word}
        </li>
      ))}
    </ol>
  )
}
