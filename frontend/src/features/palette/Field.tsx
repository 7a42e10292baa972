import type { ComponentProps } from 'react'
import styles from './field.module.css'

type Props = Omit<ComponentProps<'input'>, 'onChange'> & { value: string; onQuery: (query: string) => void }

/** Take the focus with the cursor behind what is already typed. */
function focusAtEnd(element: HTMLInputElement | null): void {
  element?.focus()
  element?.setSelectionRange(element.value.length, element.value.length)
}

/** The search field of the palette, shown while its list still loads, so that no key is lost. */
export function Field({ onQuery, ...props }: Props) {
  return (
    <input
      ref={focusAtEnd}
      className={styles.field}
      type="text"
      aria-label="Search pages, cases, findings, files, functions and actions"
      placeholder="A page, case, finding, file, function or action"
      autoComplete="off"
      spellCheck={false}
      onChange={(event) => onQuery(event.target.value)}
      {...props}
    />
  )
}
