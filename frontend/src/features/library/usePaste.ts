import { useEffect, useState } from 'react'
import { packPaste, unpackPaste } from './search'

let last = { hash: '', text: '' }

/** Pack a paste into a URL fragment and navigate there; the unpacked text is cached. */
export async function openPaste(text: string, navigate: (hash: string) => Promise<void>): Promise<void> {
  const hash = await packPaste(text)
  last = { hash, text }
  await navigate(hash)
}

/** The paste in a URL fragment; undefined while it is being unpacked. */
export function usePaste(hash: string): string | undefined {
  const [unpacked, setUnpacked] = useState(last)
  const current = hash === '' ? '' : hash === last.hash ? last.text : hash === unpacked.hash ? unpacked.text : undefined
  useEffect(() => {
    if (current !== undefined) return
    let isCurrent = true
    void unpackPaste(hash).then((text) => isCurrent && setUnpacked({ hash, text }))
    return () => {
      isCurrent = false
    }
  }, [hash, current])
  return current
}
