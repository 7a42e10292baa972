import { useEffect, useRef } from 'react'
import { useOpenLink } from '../../api'
import { Notice } from '../../ui'

type Props = { secret: string; onOpened: (number: number) => void }

/** Open the case of a link: a POST, so whoever only looks at addresses opens nothing. */
export function OpenLinkPage({ secret, onOpened }: Props) {
  const open = useOpenLink()
  const isStarted = useRef(false)
  useEffect(() => {
    if (isStarted.current || !secret) return
    isStarted.current = true
    open.mutate(secret, { onSuccess: ({ number }) => onOpened(number) })
    // oxlint-disable-next-line react/exhaustive-deps -- once, for the address that was opened
  }, [secret])
  if (!secret) return <Notice what="This link is not whole.">What stands behind # is missing; copy all of it.</Notice>
  if (open.error) return <Notice what="The link opens no case.">{open.error.message}</Notice>
  return <p role="status">Opening the case…</p>
}
