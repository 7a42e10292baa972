import { type KeyboardEvent, useId, useRef } from 'react'
import type { WaitGraph, WaitNode } from '../../api'
import { Button } from '../../ui'
import { neighbour, NONE } from './neighbours'
import { usePanZoom } from './usePanZoom'
import styles from './waits.module.css'

const [MIN_HEIGHT, MAX_HEIGHT] = [140, 420]

type Props = { graph: WaitGraph; selected: number; onSelect: (node: number) => void }

/** The wait graph in layers: blockers at the left, what waits for them at their right. */
export function WaitPicture({ graph, selected, onSelect }: Props) {
  const svg = useRef<SVGSVGElement>(null)
  const boxes = useRef<(SVGGElement | null)[]>([])
  const markerId = useId()
  const { transform, fit, reveal } = usePanZoom(svg, graph.width, graph.height)
  const focused = selected === NONE ? 0 : selected
  const select = (at: number) => {
    const node = graph.nodes[at]
    if (!node) return
    onSelect(at)
    reveal(node.x + graph.box_width / 2, node.y + graph.box_height / 2)
    boxes.current[at]?.focus({ preventScroll: true })
  }
  const press = (event: KeyboardEvent) => {
    if (event.key === '0') fit()
    else if (event.key === 'Enter' || event.key === ' ') onSelect(focused)
    else {
      const next = neighbour(graph, focused, event.key)
      if (next === NONE) return
      select(next)
    }
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <div className={styles.picture}>
      <svg ref={svg} className={styles.canvas} height={Math.max(MIN_HEIGHT, Math.min(MAX_HEIGHT, graph.height))} role="group" aria-label="Wait graph: arrow keys move between tasks" data-testid="wait-graph">
        <defs>
          <marker id={markerId} viewBox="0 0 8 8" refX="7" refY="4" markerUnits="userSpaceOnUse" markerWidth="10" markerHeight="10" orient="auto">
            <path d="M0 0 L8 4 L0 8 z" className={styles.head} />
          </marker>
        </defs>
        <g transform={transform}>
          {graph.links.map((link, at) => (
            <path key={at} d={link.path} className={styles.link} data-certainty={link.certainty} data-active={link.source === selected || link.target === selected || undefined} markerEnd={`url(#${markerId})`}>
              <title>{`${link.label} (${link.certainty}: ${link.reason})`}</title>
            </path>
          ))}
          {graph.nodes.map((node, at) => (
            <g
              key={at}
              ref={(element) => {
                boxes.current[at] = element
              }}
              transform={`translate(${node.x} ${node.y})`}
              className={styles.node}
              role="button"
              tabIndex={at === focused ? 0 : -1}
              aria-pressed={at === selected}
              aria-label={spoken(node)}
              data-kind={node.kind}
              data-root={node.is_root || undefined}
              onClick={() => select(at)}
              onKeyDown={press}
            >
              <title>{[node.note, ...node.frames.slice(0, 8)].filter(Boolean).join('\n')}</title>
              <rect width={graph.box_width} height={graph.box_height} rx={node.kind === 'resource' ? graph.box_height / 2 : 4} />
              <foreignObject width={graph.box_width} height={graph.box_height}>
                <div className={styles.words}>
                  <span className={styles.label}>{node.label}</span>
                  {node.note && <span className={styles.note}>{node.note}</span>}
                </div>
              </foreignObject>
            </g>
          ))}
        </g>
      </svg>
      <Button className={styles.fit} title="Whole graph (0)" onClick={fit}>
        Fit
      </Button>
    </div>
  )
}

const spoken = ({ label, note, is_root: isRoot, count }: WaitNode) =>
  [isRoot && 'Root blocker', label, note, count > 1 && `${count} tasks`].filter(Boolean).join(', ')
