import type { ReactNode } from 'react'
import { Command } from '../../ui'
import styles from './findings.module.css'

type Capture = { name: string; title: string; run: string; cost: string; needs: string[]; alternatives: string[]; unsafe_if: string[]; settles: string[] }

/** Safe commands that would settle what is still open. */
export function NextCaptures({ captures, slotOf }: { captures: readonly Capture[]; slotOf?: ((capture: { name: string; title: string }) => ReactNode) | undefined }) {
  return (
    <ul className={styles.captures}>
      {captures.map((capture, at) => (
        <li key={`${capture.name}:${capture.settles[0]}:${at}`}>
          <p className={styles.fixTitle}>{capture.title}</p>
          <p className={styles.soft}>Settles: {capture.settles.join('; ')}</p>
          <Command text={capture.run} name={capture.title} />
          <dl className={styles.small}>
            {[
              ['Cost', capture.cost],
              ['Needs', capture.needs.join(', ')],
              ['Not if', capture.unsafe_if.join('; ')],
              ['Or', capture.alternatives.join('; ')],
            ].map(([name, text]) =>
              text ? (
                <div key={name}>
                  <dt>{name}</dt>
                  <dd>{text}</dd>
                </div>
              ) : null,
            )}
          </dl>
          {slotOf?.(capture)}
        </li>
      ))}
    </ul>
  )
}
