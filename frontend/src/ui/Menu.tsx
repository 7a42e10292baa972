import { Fragment, type KeyboardEvent, useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
import styles from './Menu.module.css'
import { Button } from './Button'

/** A menu item. `href` makes it a link; `hint` is a keyboard shortcut or short description. */
export type MenuItem = { label: string; hint?: string | undefined; act?: () => void; href?: string; isDownload?: boolean; isNew?: boolean; startsGroup?: boolean }

type Props = { label: string; items: readonly MenuItem[]; at: { x: number; y: number }; onClose: () => void }

/** A context menu at a position of the page. Arrow keys move, Escape and a click outside close it and restore the focus. */
export function Menu({ label, items, at, onClose }: Props) {
  const box = useRef<HTMLDivElement>(null)
  const [position, setPosition] = useState({ left: at.x, top: at.y })
  const close = useRef(onClose)
  useEffect(() => {
    close.current = onClose
  })
  useLayoutEffect(() => {
    const bounds = box.current?.getBoundingClientRect()
    if (bounds) setPosition({ left: Math.max(4, Math.min(at.x, window.innerWidth - bounds.width - 6)), top: Math.max(4, Math.min(at.y, window.innerHeight - bounds.height - 6)) })
  }, [at.x, at.y])
  useEffect(() => {
    const before = document.activeElement instanceof HTMLElement ? document.activeElement : null
    box.current?.querySelector<HTMLElement>('[role=menuitem]')?.focus()
    const closeOutside = (event: Event) => {
      if (!box.current?.contains(event.target as Node)) close.current()
    }
    window.addEventListener('pointerdown', closeOutside, true)
    window.addEventListener('resize', closeOutside)
    return () => {
      window.removeEventListener('pointerdown', closeOutside, true)
      window.removeEventListener('resize', closeOutside)
      before?.focus({ preventScroll: true })
    }
  }, [])
  const press = (event: KeyboardEvent) => {
    const menuItems = [...(box.current?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? [])]
    const index = menuItems.indexOf(document.activeElement as HTMLElement)
    const to = { ArrowDown: index + 1, ArrowUp: index - 1, Home: 0, End: -1 }[event.key]
    event.stopPropagation()
    if (to !== undefined) menuItems.at(to % menuItems.length)?.focus()
    else if (event.key === 'Escape' || event.key === 'Tab') onClose()
    else return
    event.preventDefault()
  }
  return (
    <div ref={box} className={styles.menu} style={position} role="menu" aria-label={label} tabIndex={-1} onKeyDown={press} onContextMenu={(event) => event.preventDefault()}>
      {items.map((item) => (
        <Fragment key={item.label}>
          {item.startsGroup && <hr />}
          {item.href ? (
            <a role="menuitem" tabIndex={-1} href={item.href} download={item.isDownload || undefined} target={item.isNew ? '_blank' : undefined} rel="noreferrer" onClick={onClose}>
              {item.label}
              {item.hint && <span className={styles.hint}>{item.hint}</span>}
            </a>
          ) : (
            <button
              type="button"
              role="menuitem"
              tabIndex={-1}
              onClick={() => {
                onClose()
                item.act?.()
              }}
            >
              {item.label}
              {item.hint && <span className={styles.hint}>{item.hint}</span>}
            </button>
          )}
        </Fragment>
      ))}
    </div>
  )
}

/** A button that opens a menu below itself. */
export function MenuButton({ label, items, isDisabled = false }: { label: string; items: readonly MenuItem[]; isDisabled?: boolean }) {
  const id = useId()
  const [at, setAt] = useState<{ x: number; y: number } | null>(null)
  return (
    <>
      <Button
        id={id}
        aria-haspopup="menu"
        disabled={isDisabled}
        aria-expanded={at !== null}
        onClick={(event) => {
          const bounds = event.currentTarget.getBoundingClientRect()
          setAt(at ? null : { x: bounds.left, y: bounds.bottom + 3 })
        }}
      >
        {label} <span aria-hidden="true">▾</span>
      </Button>
      {at && <Menu label={label} items={items} at={at} onClose={() => setAt(null)} />}
    </>
  )
}
