import { useEffect, useState } from 'react'
import { Banner } from './Banner'

const BACK_SHOWN_MS = 4_000
type State = 'online' | 'offline' | 'back'

/** States that the browser is offline and what still works; confirms the reconnection. */
export function OfflineBanner() {
  const [state, setState] = useState<State>(() => (navigator.onLine ? 'online' : 'offline'))
  useEffect(() => {
    const goOffline = () => setState('offline')
    const goOnline = () => setState((before) => (before === 'offline' ? 'back' : before))
    window.addEventListener('offline', goOffline)
    window.addEventListener('online', goOnline)
    return () => {
      window.removeEventListener('offline', goOffline)
      window.removeEventListener('online', goOnline)
    }
  }, [])
  useEffect(() => {
    if (state !== 'back') return
    const timer = setTimeout(() => setState('online'), BACK_SHOWN_MS)
    return () => clearTimeout(timer)
  }, [state])
  return (
    <Banner tone={state === 'back' ? 'calm' : 'suspect'} testId="offline-banner">
      {state === 'offline' && 'Offline. The page shows what was loaded; uploads and updates continue when the connection returns.'}
      {state === 'back' && 'Back online. Updating.'}
    </Banner>
  )
}
