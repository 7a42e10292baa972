import { useEffect, useState } from 'react'
import { packed, unpacked } from './search'

let last = { hash: '', text: '' }

/** Pack a paste and go to its address; it need not be unpacked there again. */
export async function openPaste(text: string, go: (hash: string) => Promise<void>): Promise<void> {
  const hash = await packed(text)
  last = { hash, text }
  await go(hash)
}

/** The paste that an address holds behind `#`; undefined while it is unpacked. */
export function usePaste(hash: string): string | undefined {
  const [read, setRead] = useState(last)
  const known = hash === '' ? '' : hash === last.hash ? last.text : hash === read.hash ? read.text : undefined
  useEffect(() => {
    if (known !== undefined) return
    let isCurrent = true
    void unpacked(hash).then((text) => isCurrent && setRead({ hash, text }))
    return () => {
      isCurrent = false
    }
  }, [hash, known])
  return known
}
