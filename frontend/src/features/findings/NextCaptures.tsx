import type { ReactNode } from 'react'
import { fileNameOf, ShellCommand } from '../../ui'
import styles from './findings.module.css'

type Values = Readonly<Record<string, string>>
type Capture = { name: string; title: string; run: string; cost: string; needs: string[]; alternatives: string[]; unsafe_if: string[]; decides: string[] }

/** Captures to run next, each with its cost and the conditions it would decide. */
export function NextCaptures({ captures, values, actionOf }: { captures: readonly Capture[]; values?: Values; actionOf?: ((capture: { name: string; title: string }) => ReactNode) | undefined }) {
  return (
    <ul className={styles.captures}>
      {captures.map((capture, at) => (
        <li key={`${capture.name}:${capture.decides[0]}:${at}`}>
          <p className={styles.fixTitle}>{capture.title}</p>
          {capture.decides.some(Boolean) && <p className={styles.soft}>Decides: {[...new Set(capture.decides)].join('; ')}</p>}
          <ShellCommand text={capture.run} name={capture.title} values={values} isFirst={at === 0} file={fileNameOf(capture.name)} />
          <dl className={styles.small}>
            {[
              ['Cost', capture.cost],
              ['Needs', capture.needs.join(', ')],
              ['Unsafe if', capture.unsafe_if.join('; ')],
              ['Alternatives', capture.alternatives.join('; ')],
            ].map(([name, text]) =>
              text ? (
                <div key={name}>
                  <dt>{name}</dt>
                  <dd>{text}</dd>
                </div>
              ) : null,
            )}
          </dl>
          {actionOf?.(capture)}
        </li>
      ))}
    </ul>
  )
}
