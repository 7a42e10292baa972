import { useEffect, useRef } from 'react'
import { useIsGuest } from '../../api'
import { useKeys, usePageActions, useToast } from '../../ui'
import styles from './case.module.css'
import type { Tab } from './search'

type Props = {
  tab: Tab | undefined
  counts: Partial<Record<Tab | 'findings', number>>
  /** Why a tab has nothing to show; it stays in its place. */
  empty: Partial<Record<Tab, string>>
  onTab: (tab: Tab | undefined) => void
}

const TABS: readonly { value: Tab | undefined; name: Tab | 'findings'; label: string; key: string; isForMembers?: boolean }[] = [
  { value: undefined, name: 'findings', label: 'Findings', key: '1' },
  { value: 'timeline', name: 'timeline', label: 'Notes and timeline', key: '2' },
  { value: 'hosts', name: 'hosts', label: 'Hosts', key: '3' },
  { value: 'phases', name: 'phases', label: 'Before and after', key: '4', isForMembers: true },
  { value: 'handoff', name: 'handoff', label: 'Handoff', key: '5', isForMembers: true },
]

/** Tabs of a case page; guests see no tab that changes the case. */
export function CaseTabs({ tab, counts, empty, onTab }: Props) {
  const isGuest = useIsGuest()
  const toast = useToast()
  const tabs = TABS.filter(({ isForMembers }) => !isGuest || !isForMembers)
  const reasonOf = (value: Tab | undefined) => (value && value !== tab ? empty[value] : undefined)
  const open = (value: Tab | undefined) => {
    const reason = reasonOf(value)
    if (reason) toast(reason)
    else onTab(value)
  }
  useKeys(Object.fromEntries(tabs.map(({ value, key }) => [key, () => open(value)])))
  usePageActions(tabs.filter(({ value }) => !reasonOf(value)).map(({ value, label, key }) => ({ group: 'Parts of the case', label, hint: key, act: () => onTab(value) })))
  // On a phone not all tabs fit beside each other. The first one needs no look at the layout.
  const bar = useRef<HTMLElement>(null)
  const widths = tabs.map(({ name }) => counts[name] ?? '').join(' ')
  useEffect(() => {
    const [list, current] = [bar.current, bar.current?.querySelector<HTMLElement>('[aria-current]')]
    if (tab && list && current) list.scrollLeft = current.offsetLeft - list.offsetLeft - (list.clientWidth - current.offsetWidth) / 2
  }, [tab, widths])
  return (
    <nav ref={bar} className={styles.tabs} aria-label="Parts of the case">
      {tabs.map(({ value, name, label, key }) => (
        <button key={name} type="button" className={styles.tab} aria-current={tab === value ? 'page' : undefined} aria-disabled={reasonOf(value) ? true : undefined} title={reasonOf(value) ?? `${label} (${key})`} onClick={() => open(value)}>
          {label}
          {counts[name] ? <span className={styles.count}>{counts[name]}</span> : null}
        </button>
      ))}
    </nav>
  )
}
