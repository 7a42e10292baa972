import { stepsOf } from './diagram'
import styles from './Markdown.module.css'

/** A Mermaid diagram of a story, told step by step. */
export function Diagram({ source }: { source: string }) {
  const steps = stepsOf(source)
  if (!steps || steps.length === 0) return <pre tabIndex={0}>{source}</pre>
  return (
    <figure className={styles.diagram} aria-label="The mechanism, step by step">
      <ol>
        {steps.map((step, at) => (
          <li key={`${at}:${step.text}`} data-depth={step.depth}>
            {step.text}
          </li>
        ))}
      </ol>
    </figure>
  )
}
