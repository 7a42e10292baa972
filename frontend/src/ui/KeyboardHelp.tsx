import { useRef } from 'react'
import { Button } from './Button'
import styles from './KeyboardHelp.module.css'
import { useKeys } from './keys'

const groups: readonly [string, readonly [string, string][]][] = [
  ['Everywhere', [['?', 'this list'], ['Ctrl V', 'add what you copied as evidence']]],
  ['Case', [['j  k', 'next, previous finding'], ['n  p', 'next, previous citation'], ['y', 'copy link to this exact view'], ['f', 'flame graph'], ['t', 'table of functions'], ['l', 'lanes: who ran when'], ['d', 'differences'], ['o', 'speedscope']]],
  ['Flame graph', [['← → ↑ ↓', 'walk the stacks'], ['Enter', 'zoom to the selected frame'], ['Backspace', 'zoom out one step'], ['0', 'whole graph'], ['i', 'invert: callees first'], ['s', 'callers and callees of the selected frame'], ['/', 'search names'], ['n  N', 'next, previous match'], ['Shift F10', 'menu of the selected frame'], ['w', 'enlarge, and back'], ['Esc', 'leave the search, deselect']]],
  ['Library', [['/', 'search'], ['j  k', 'next, previous answer'], ['Enter', 'open it']]],
  ['Heat map and lanes', [['← → ↑ ↓', 'move; with Shift extend'], ['Enter', 'select that time for every view'], ['Esc', 'take all time']]],
]

/** All keys, on `?`. None of them destroys anything. */
export function KeyboardHelp() {
  const dialog = useRef<HTMLDialogElement>(null)
  const open = () => dialog.current?.showModal()
  useKeys({ '?': open })
  return (
    <>
      <Button look="quiet" onClick={open}>
        Keys <kbd>?</kbd>
      </Button>
      <dialog ref={dialog} className={styles.dialog} aria-labelledby="keys-title" closedby="any">
        <div className={styles.inside}>
          <header className={styles.head}>
            <h2 id="keys-title">Keys</h2>
            <Button onClick={() => dialog.current?.close()}>Close</Button>
          </header>
          {groups.map(([title, keys]) => (
            <section key={title}>
              <h3>{title}</h3>
              <dl className={styles.keys}>
                {keys.map(([key, meaning]) => (
                  <div key={key}>
                    <dt>
                      <kbd>{key}</kbd>
                    </dt>
                    <dd>{meaning}</dd>
                  </div>
                ))}
              </dl>
            </section>
          ))}
        </div>
      </dialog>
    </>
  )
}
