import { useComputedColorScheme } from '@mantine/core'
import { useEffect, useMemo, useRef, useState } from 'react'
import { type Profile, type Selection, useSpeedscopeText } from '../../api'
import { Button, Notice } from '../../ui'
import styles from './speedscope.module.css'

type Props = { profile: Profile; selection: Selection; onShowOurs: () => void; onEscape: () => void }

export function hasWebGl(): boolean {
  const context = document.createElement('canvas').getContext('webgl')
  context?.getExtension('WEBGL_lose_context')?.loseContext()
  return context !== null
}

/**
 * The whole of speedscope in a frame that has no origin of its own: it reaches no cookie, no storage and no
 * network. The profile is handed over by message once its shim says that it listens.
 */
export function SpeedscopeFrame({ profile, selection, onShowOurs, onEscape }: Props) {
  const frame = useRef<HTMLIFrameElement>(null)
  const scheme = useComputedColorScheme('light')
  const isPossible = useMemo(() => hasWebGl(), [])
  const text = useSpeedscopeText(profile.id, selection)
  // Every new frame says so anew: another profile, selection or theme is another frame.
  const [listening, setListening] = useState(0)

  useEffect(() => {
    const listen = (event: MessageEvent<{ kind?: string; key?: string } | null>) => {
      if (event.source !== frame.current?.contentWindow) return
      if (event.data?.kind === 'casebook.ready') setListening((times) => times + 1)
      if (event.data?.kind === 'casebook.key' && event.data.key === 'Escape') onEscape()
    }
    window.addEventListener('message', listen)
    return () => window.removeEventListener('message', listen)
  }, [onEscape])

  useEffect(() => {
    if (listening === 0 || text.data === undefined) return
    // A frame without an origin cannot be named as a target; it is ours, and only it holds this window.
    frame.current?.contentWindow?.postMessage({ kind: 'casebook.profile', text: text.data }, '*')
  }, [listening, text.data])

  if (!isPossible) {
    return (
      <div className={styles.instead}>
        <Notice tone="plain" what="speedscope draws with WebGL, which this browser does not offer.">
          The flame graph of Casebook shows the same profile without it. <Button onClick={onShowOurs}>Show it</Button>
        </Notice>
      </div>
    )
  }
  const title = `${profile.evidence_name} ${profile.event}`.trim()
  const parameters = new URLSearchParams({ theme: scheme, title })
  return (
    <div className={styles.box} data-testid="speedscope" data-state={listening > 0 && text.data !== undefined ? 'given' : 'waiting'}>
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
