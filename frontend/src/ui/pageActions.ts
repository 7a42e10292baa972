import { useEffect, useRef, useSyncExternalStore } from 'react'

/** What a page offers to do, listed by the command palette while the page is shown. */
export type PageAction = { label: string; group: string; hint?: string | undefined; act: () => void }
type Source = () => readonly PageAction[]

const sources = new Set<Source>()
const listeners = new Set<() => void>()
let offered: readonly Source[] = []

function changed(): void {
  offered = [...sources]
  for (const listener of listeners) listener()
}

/** Offer actions to the command palette while the component is mounted. */
export function usePageActions(actions: readonly PageAction[]): void {
  const current = useRef(actions)
  useEffect(() => {
    current.current = actions
  })
  useEffect(() => {
    const source = () => current.current
    sources.add(source)
    changed()
    return () => {
      sources.delete(source)
      changed()
    }
  }, [])
}

/** The actions of the components that are mounted, in the order of mounting. */
export function useOfferedActions(): PageAction[] {
  const all = useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => offered,
  )
  return all.flatMap((source) => source())
}
