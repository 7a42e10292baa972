import type { Finding } from '../../api'
import styles from './findings.module.css'

/** What the evidence says about the subject of a finding: its process, its cgroup, limits and sizes. */
export function FindingFacts({ extract }: Pick<Finding, 'extract'>) {
  const { process, ...others } = extract
  const facts = Object.entries(others).map(([name, value]) => [name.replaceAll('_', ' '), name === 'pid' && process ? `${value} ${process}` : value] as const)
  if (facts.length === 0) return null
  return (
    <dl className={styles.subject} aria-label="About">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name === 'pid' ? 'process' : name}</dt>
          <dd>
            <code>{value}</code>
          </dd>
        </div>
      ))}
    </dl>
  )
}
