import { useEffect, useMemo, useRef, useState } from 'react'
import { type Profile, type Selection, useSpeedscopeText } from '../../api'
import { Button, Notice, useColorScheme } from '../../ui'
import styles from './speedscope.module.css'

type Props = { profile: Profile; selection: Selection; onFlameGraph: () => void; onEscape: () => void }

/** Whether the browser provides WebGL. */
export function hasWebGl(): boolean {
  const context = document.createElement('canvas').getContext('webgl')
  context?.getExtension('WEBGL_lose_context')?.loseContext()
  return context !== null
}

/**
 * speedscope in a sandboxed iframe with an opaque origin: without cookies, storage and network. The profile is
 * sent by postMessage after the shim reports that it is ready.
 */
export function SpeedscopeFrame({ profile, selection, onFlameGraph, onEscape }: Props) {
  const frame = useRef<HTMLIFrameElement>(null)
  const scheme = useColorScheme()
  const isPossible = useMemo(() => hasWebGl(), [])
  const text = useSpeedscopeText(profile.id, selection)
  // Each frame reports once; a different profile, selection or theme creates a new frame.
  const [readyCount, setReadyCount] = useState(0)

  useEffect(() => {
    const listen = (event: MessageEvent<{ kind?: string; key?: string } | null>) => {
      if (event.source !== frame.current?.contentWindow) return
      if (event.data?.kind === 'casebook.ready') setReadyCount((count) => count + 1)
      if (event.data?.kind === 'casebook.key' && event.data.key === 'Escape') onEscape()
    }
    window.addEventListener('message', listen)
    return () => window.removeEventListener('message', listen)
  }, [onEscape])

  useEffect(() => {
    if (readyCount === 0 || text.data === undefined) return
    // An opaque origin cannot be a target origin; the frame is our own document.
    frame.current?.contentWindow?.postMessage({ kind: 'casebook.profile', text: text.data }, '*')
  }, [readyCount, text.data])

  if (!isPossible) {
    return (
      <div className={styles.instead}>
        <Notice tone="plain" what="speedscope needs WebGL, which this browser does not provide.">
          The built-in flame graph shows the same profile. <Button onClick={onFlameGraph}>Show flame graph</Button>
        </Notice>
      </div>
    )
  }
  const title = `${profile.evidence_name} ${profile.event}`.trim()
  const parameters = new URLSearchParams({ theme: scheme, title })
  return (
    <div className={styles.box} data-testid="speedscope" data-state={readyCount > 0 && text.data !== undefined ? 'loaded' : 'waiting'}>
      {text.error && (
        <Notice what="The profile could not be exported." retry={() => void text.refetch()}>
          {text.error.message}
        </Notice>
      )}
      <iframe
        key={`${profile.id} ${scheme} ${JSON.stringify(selection)}`}
        ref={frame}
        className={styles.frame}
        title={`speedscope: ${title}`}
        sandbox="allow-scripts allow-downloads"
        src={`/speedscope/index.html#profileURL=casebook.speedscope.json&${parameters.toString().replaceAll('+', '%20')}`}
      />
    </div>
  )
}
