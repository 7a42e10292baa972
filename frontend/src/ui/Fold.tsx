import { type ComponentProps, type ReactNode, useState } from 'react'

type Props = Omit<ComponentProps<'details'>, 'open' | 'children'> & { summary: ReactNode; isOpen?: boolean; children: ReactNode }

/** A disclosure whose content is rendered once it was opened: what is folded costs nothing. */
export function Fold({ summary, isOpen = false, children, ...rest }: Props) {
  const [wasOpened, setWasOpened] = useState(false)
  return (
    <details {...rest} open={isOpen} onToggle={({ currentTarget }) => currentTarget.open && setWasOpened(true)}>
      <summary>{summary}</summary>
      {(isOpen || wasOpened) && children}
    </details>
  )
}
