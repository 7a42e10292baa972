import type { Finding } from '../../api'
import styles from './findings.module.css'

/** Names that stand beside their number. */
const NAMES = new Map([
  ['process', 'pid'],
  ['holder', 'holder_tid'],
])
const LABELS: Record<string, string> = { pid: 'process', holder_tid: 'holder' }

function nameOf(number: string, extract: Finding['extract']): string[] {
  return [...NAMES].filter(([name, of]) => of === number && extract[name]).map(([name]) => extract[name] ?? '')
}

/** What the evidence says about the subject of a finding: its process, its cgroup, limits and sizes. */
export function FindingFacts({ extract }: Pick<Finding, 'extract'>) {
  const facts = Object.entries(extract)
    .filter(([name]) => !(NAMES.has(name) && extract[NAMES.get(name) ?? '']))
    .map(([name, value]) => [LABELS[name] ?? name.replaceAll('_', ' '), [value, ...nameOf(name, extract)].join(' ')] as const)
  if (facts.length === 0) return null
  return (
    <dl className={styles.subject} aria-label="About">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <code>{value}</code>
          </dd>
        </div>
      ))}
    </dl>
  )
}
