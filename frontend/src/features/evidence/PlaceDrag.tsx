import { createContext, type DragEvent, type ReactNode, useContext, useMemo, useState } from 'react'
import type { Evidence } from '../../api'
import styles from './places.module.css'
import { PHASES, type PlaceChange } from './places'
import { usePlacing } from './usePlacing'

/** Marks a drag of rows, which is not one of files from outside. */
const TYPE = 'application/x-casebook-evidence'

type Dragged = { items: readonly Evidence[]; name: string }
type Drag = { dragged: Dragged | null; begin: (event: DragEvent, what: Dragged) => void; end: () => void; drop: (change: PlaceChange) => void }

const Context = createContext<Drag>({ dragged: null, begin: () => undefined, end: () => undefined, drop: () => undefined })

type Props = { caseId: string; hosts: readonly string[]; children: ReactNode }

/** Lets rows be dragged onto chips; while one is dragged, all hosts and phases lie within reach at the edge of the window. */
export function PlaceDrag({ caseId, hosts, children }: Props) {
  const { place } = usePlacing(caseId)
  const [dragged, setDragged] = useState<Dragged | null>(null)
  const drag = useMemo<Drag>(
    () => ({
      dragged,
      begin: (event, what) => {
        event.stopPropagation()
        event.dataTransfer.setData(TYPE, what.name)
        event.dataTransfer.effectAllowed = 'move'
        // Chromium ends a drag whose start changes the page.
        setTimeout(() => setDragged(what))
      },
      end: () => setDragged(null),
      drop: (change) => {
        setDragged(null)
        if (dragged) place(dragged.items, change, dragged.name)
      },
    }),
    [dragged, place],
  )
  return (
    <Context value={drag}>
      {children}
      {dragged && (
        <div className={styles.targets} data-testid="place-targets">
          <span>{dragged.name} to</span>
          {hosts.map((host) => (
            <Target key={host} change={{ host }}>
              {host}
            </Target>
          ))}
          {PHASES.map((phase) => (
            <Target key={phase} change={{ phase }}>
              {phase}
            </Target>
          ))}
        </div>
      )}
    </Context>
  )
}

/** Handlers of a row that can be dragged. */
export function useDragSource(what: Dragged) {
  const { begin, end } = useContext(Context)
  return { draggable: true, onDragStart: (event: DragEvent) => begin(event, what), onDragEnd: end }
}

/** Handlers of a place that takes rows; none without a change. */
export function useDropTarget(change: PlaceChange | undefined) {
  const { dragged, drop } = useContext(Context)
  const [isOver, setIsOver] = useState(false)
  if (!change || !dragged) return {}
  return {
    'data-over': isOver || undefined,
    onDragOver: (event: DragEvent) => {
      event.preventDefault()
      setIsOver(true)
    },
    onDragLeave: () => setIsOver(false),
    onDrop: (event: DragEvent) => {
      event.preventDefault()
      event.stopPropagation()
      setIsOver(false)
      drop(change)
    },
  }
}

function Target({ change, children }: { change: PlaceChange; children: ReactNode }) {
  return (
    <span className={styles.chip} {...useDropTarget(change)}>
      {children}
    </span>
  )
}
