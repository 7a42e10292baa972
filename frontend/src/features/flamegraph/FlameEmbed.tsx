import { useMemo, useState } from 'react'
import { type GraphColumns, indexGraph, NO_ROW } from '../../profile'
import { FlameCanvas } from './FlameCanvas'
import styles from './flamegraph.module.css'
import { Legend } from './Legend'
import { paintByKind } from './paint'
import { usePalette } from './usePalette'

const NONE: readonly number[] = []

type Props = { columns: GraphColumns; rootLabel: string }

/** A flame graph within a text, with selection and zoom as local state. */
export function FlameEmbed({ columns, rootLabel }: Props) {
  const graph = useMemo(() => indexGraph(columns), [columns])
  const palette = usePalette()
  const paint = useMemo(() => paintByKind(graph, palette), [graph, palette])
  const [position, setPosition] = useState({ graph, selected: NO_ROW, zoom: NO_ROW })
  const shown = position.graph === graph ? position : { graph, selected: NO_ROW, zoom: NO_ROW }
  return (
    <div className={styles.embed}>
      <FlameCanvas
        graph={graph}
        paint={paint}
        isFlame={false}
        rootLabel={rootLabel}
        selected={shown.selected}
        zoomRow={shown.zoom}
        onSelect={(selected) => setPosition({ ...shown, selected })}
        onZoom={(zoom) => setPosition({ ...shown, selected: zoom, zoom })}
      />
      <Legend graph={graph} outlined={NONE} citedCount={0} clauseName="" hints="double-click or Enter: zoom · arrows: select · Backspace: out" />
    </div>
  )
}
