import { useId } from 'react'
import { readDiagram, stepsOf } from './diagram'
import { draw, LINE, type Shape } from './drawing'
import styles from './Diagram.module.css'

/**
 * A Mermaid diagram drawn as SVG with the page's style sheet, since the CSP blocks inline styles and foreign
 * scripts. A list of steps is the text alternative.
 */
export function Diagram({ source }: { source: string }) {
  const markerId = useId()
  const diagram = readDiagram(source)
  if (!diagram) return <pre tabIndex={0}>{source}</pre>
  const { width, height, shapes } = draw(diagram)
  return (
    <figure className={styles.diagram}>
      <div className={styles.scroll} tabIndex={0} role="group" aria-label="Diagram of the mechanism">
        <svg width={Math.ceil(width)} height={Math.ceil(height)} viewBox={`0 0 ${Math.ceil(width)} ${Math.ceil(height)}`} aria-hidden="true">
          <defs>
            <marker id={markerId} viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto-start-reverse">
              <path d="M0 0 L8 4 L0 8 z" className={styles.head} />
            </marker>
          </defs>
          {shapes.map((shape, at) => (
            <ShapeElement key={at} shape={shape} markerId={markerId} />
          ))}
        </svg>
      </div>
      <details>
        <summary>Step by step</summary>
        <ol aria-label="Mechanism, step by step">
          {stepsOf(diagram).map((step, at) => (
            <li key={`${at}:${step.text}`} data-depth={step.depth}>
              {step.text}
            </li>
          ))}
        </ol>
      </details>
    </figure>
  )
}

function ShapeElement({ shape, markerId }: { shape: Shape; markerId: string }) {
  if (shape.kind === 'box') {
    const { x, y, width, height, tone } = shape
    return <rect x={x} y={y} width={width} height={height} rx={tone === 'question' ? height / 2 : 4} className={styles[tone]} />
  }
  if (shape.kind === 'line') {
    const points = shape.points.map(([x, y]) => `${x},${y}`).join(' ')
    const className = `${styles[shape.tone]} ${shape.isDotted ? styles.dotted : ''}`
    return <polyline points={points} className={className} markerEnd={shape.hasHead ? `url(#${markerId})` : undefined} />
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
