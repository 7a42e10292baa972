import { useId } from 'react'
import { readDiagram, stepsOf } from './diagram'
import { draw, LINE, type Shape } from './drawing'
import styles from './Diagram.module.css'

/**
 * A Mermaid diagram of a story, drawn with plain shapes in the page's own colours: a page that allows no inline style
 * and no foreign script shows it. The same is told step by step for those who listen.
 */
export function Diagram({ source }: { source: string }) {
  const head = useId()
  const told = readDiagram(source)
  if (!told) return <pre tabIndex={0}>{source}</pre>
  const { width, height, shapes } = draw(told)
  return (
    <figure className={styles.diagram}>
      <div className={styles.scroll} tabIndex={0} role="group" aria-label="The mechanism, drawn">
        <svg width={Math.ceil(width)} height={Math.ceil(height)} viewBox={`0 0 ${Math.ceil(width)} ${Math.ceil(height)}`} aria-hidden="true">
          <defs>
            <marker id={head} viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto-start-reverse">
              <path d="M0 0 L8 4 L0 8 z" className={styles.head} />
            </marker>
          </defs>
          {shapes.map((shape, at) => (
            <Drawn key={at} shape={shape} head={head} />
          ))}
        </svg>
      </div>
      <details>
        <summary>Step by step</summary>
        <ol aria-label="The mechanism, step by step">
          {stepsOf(told).map((step, at) => (
            <li key={`${at}:${step.text}`} data-depth={step.depth}>
              {step.text}
            </li>
          ))}
        </ol>
      </details>
    </figure>
  )
}

function Drawn({ shape, head }: { shape: Shape; head: string }) {
  if (shape.kind === 'box') {
    const { x, y, width, height, tone } = shape
    return <rect x={x} y={y} width={width} height={height} rx={tone === 'question' ? height / 2 : 4} className={styles[tone]} />
  }
  if (shape.kind === 'line') {
    const points = shape.points.map(([x, y]) => `${x},${y}`).join(' ')
    const className = `${styles[shape.tone]} ${shape.isDotted ? styles.dotted : ''}`
    return <polyline points={points} className={className} markerEnd={shape.hasHead ? `url(#${head})` : undefined} />
  }
  return (
    <text x={shape.x} y={shape.y} textAnchor={shape.anchor} className={styles.words}>
      {shape.lines.map((line, at) => (
        <tspan key={at} x={shape.x} dy={at === 0 ? 0 : LINE}>
          {line}
        </tspan>
      ))}
    </text>
  )
}
