import type { WaitGraph, WaitLink } from '../../api'
import { CopyButton } from '../../ui'
import { Cited, type Show } from './Cited'
import styles from './waits.module.css'

const MAX_MEMBERS = 12

type Props = { graph: WaitGraph; selected: number; onSelect: (node: number) => void; onShow: Show }

/** The selected node: its stack, its tasks, what it waits for and what waits for it, with the evidence of each. */
export function NodeDetails({ graph, selected, onSelect, onShow }: Props) {
  const node = graph.nodes[selected]
  if (!node) return <p className={styles.soft}>Select a task to see its stack, the evidence of its waits, and the cited lines.</p>
  const blockers = graph.links.filter(({ target }) => target === selected)
  const waiters = graph.links.filter(({ source }) => source === selected)
  return (
    <section className={styles.details} aria-label={`Details of ${node.label}`} data-testid="wait-node">
      <h3>
        {node.label} {node.is_root && <span className={styles.root}>root blocker</span>}
      </h3>
      {node.note && <p>{node.note}</p>}
      {node.citations.map((citation) => (
        <Cited key={`${citation.evidence_id}:${citation.first_line}`} citation={citation} onShow={onShow} />
      ))}
      {node.count > 1 && (
        <p className={styles.soft}>
          {node.members.slice(0, MAX_MEMBERS).join(', ')}
          {node.count > MAX_MEMBERS && ` and ${(node.count - MAX_MEMBERS).toLocaleString('en')} more`}
        </p>
      )}
      <div className={styles.columns}>
        <div>
          <Links title="Blocked by" links={blockers} end="source" graph={graph} onSelect={onSelect} onShow={onShow} />
          <Links title="Blocks" links={waiters} end="target" graph={graph} onSelect={onSelect} onShow={onShow} />
        </div>
        {node.frames.length > 0 && (
          <div>
            <h4>
              Stack, innermost first <CopyButton text={node.frames.join('\n')} />
            </h4>
            <pre className={styles.stack} tabIndex={0}>
              {node.frames.join('\n')}
            </pre>
          </div>
        )}
      </div>
    </section>
  )
}

type LinksProps = { title: string; links: readonly WaitLink[]; end: 'source' | 'target'; graph: WaitGraph; onSelect: (node: number) => void; onShow: Show }

function Links({ title, links, end, graph, onSelect, onShow }: LinksProps) {
  if (links.length === 0) return null
  return (
    <>
      <h4>{title}</h4>
      <ul>
        {links.slice(0, MAX_MEMBERS).map((link, at) => (
          <li key={at}>
            <button type="button" className={styles.name} onClick={() => onSelect(link[end])}>
              {graph.nodes[link[end]]?.label}
            </button>{' '}
            <span className={styles.soft}>
              {link.label}; {link.certainty}: {link.reason}
            </span>{' '}
            {link.citations[0] && <Cited citation={link.citations[0]} onShow={onShow} />}
          </li>
        ))}
      </ul>
      {links.length > MAX_MEMBERS && <p className={styles.soft}>{links.length - MAX_MEMBERS} more</p>}
    </>
  )
}
