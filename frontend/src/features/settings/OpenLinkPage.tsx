import { useEffect, useRef } from 'react'
import { useOpenLink } from '../../api'
import { Notice } from '../../ui'

type Props = { secret: string; onOpened: (number: number) => void }

/** Opens the case of a link with a POST, so that link previews and crawlers do not consume it. */
export function OpenLinkPage({ secret, onOpened }: Props) {
  const open = useOpenLink()
  const isStarted = useRef(false)
  useEffect(() => {
    if (isStarted.current || !secret) return
    isStarted.current = true
    open.mutate(secret, { onSuccess: ({ number }) => onOpened(number) })
    // oxlint-disable-next-line react/exhaustive-deps -- runs once per link
  }, [secret])
  if (!secret) return <Notice what="Incomplete link.">The part after # is missing. Copy the whole link.</Notice>
  if (open.error) return <Notice what="The link could not be opened.">{open.error.message}</Notice>
  return <p role="status">Opening the case…</p>
}
