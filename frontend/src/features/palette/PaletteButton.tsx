import { lazy, Suspense, useEffect, useState } from 'react'
import { Button, Dialog, hasOpenDialog, importWithRetry } from '../../ui'
import styles from './button.module.css'
import { Field } from './Field'

const Palette = lazy(() => importWithRetry(() => import('./Palette')))

/** Opens the command palette; so does Ctrl K (⌘ K) anywhere, even in a field. */
export function PaletteButton() {
  const [isOpen, setIsOpen] = useState(false)
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey || event.key.toLowerCase() !== 'k') return
      event.preventDefault()
      if (!hasOpenDialog()) setIsOpen(true)
    }
    // speedscope runs in a sandboxed frame and forwards the keys that belong to the page.
    const forwarded = ({ data }: MessageEvent<{ kind?: string; key?: string } | null>) => {
      if (data?.kind === 'casebook.key' && data.key === 'Ctrl-K') setIsOpen(true)
    }
    window.addEventListener('keydown', listen)
    window.addEventListener('message', forwarded)
    return () => {
      window.removeEventListener('keydown', listen)
      window.removeEventListener('message', forwarded)
    }
  }, [])
  return (
    <>
      <Button look="quiet" className={styles.button} aria-haspopup="dialog" aria-keyshortcuts="Control+K Meta+K" onClick={() => setIsOpen(true)}>
        Go to <kbd>Ctrl K</kbd>
      </Button>
      {isOpen && <PaletteDialog onClose={() => setIsOpen(false)} />}
    </>
  )
}

/** The field takes keys at once; a key typed before the list is loaded would else be lost, or be a shortcut of the page. */
function PaletteDialog({ onClose }: { onClose: () => void }) {
  const [query, setQuery] = useState('')
  return (
    <Dialog title="Go to" isWide testId="palette" onClose={onClose}>
      <Suspense fallback={<Field value={query} onQuery={setQuery} />}>
        <Palette query={query} onQuery={setQuery} onClose={onClose} />
      </Suspense>
    </Dialog>
  )
}
