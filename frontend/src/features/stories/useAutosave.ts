import { useCallback, useEffect, useRef, useState } from 'react'
import { contentOf, fetchDraft, Problem, restoreRevision, saveDraft, type StoryContent, type StoryDraft } from '../../api'
import { isSame, loadDraft, storeDraft } from './draftStorage'

/** Save state of a draft. `offline`: server unreachable, retrying. `rejected`: server error. `conflict`: somebody else saved. */
export type SaveState = { kind: 'saved' | 'editing' | 'saving' } | { kind: 'offline' | 'rejected'; reason: string } | { kind: 'conflict'; theirs: StoryDraft }

const DEBOUNCE_MS = 900
const RETRY_MS = 4_000

/** Draft with autosave: stored in the browser on every change, saved to the server after a pause, with optimistic locking. */
export function useAutosave(story: string, opened: StoryDraft, key: string) {
  const [draft, setDraft] = useState(opened)
  const [stored] = useState(() => {
    const local = loadDraft(key)
    return local && !isSame(local.content, contentOf(opened)) ? local : null
  })
  const [content, setContent] = useState(stored?.content ?? contentOf(opened))
  const isConflicting = stored !== null && stored.version !== opened.version
  const [saveState, setSaveState] = useState<SaveState>(isConflicting ? { kind: 'conflict', theirs: opened } : { kind: stored ? 'editing' : 'saved' })
  const [isStored, setIsStored] = useState(true)
  const [editSession] = useState(() => crypto.randomUUID())
  const latest = useRef({ content, version: isConflicting ? stored.version : opened.version, saved: contentOf(opened), isBusy: false })
  const timer = useRef<number>(undefined)
  const retry = useRef<() => void>(() => undefined)

  const applySaved = useCallback(
    (updated: StoryDraft, sent: StoryContent) => {
      latest.current.version = updated.version
      latest.current.saved = sent
      setDraft(updated)
      if (isSame(latest.current.content, sent)) {
        storeDraft(key, null)
        setSaveState({ kind: 'saved' })
        return true
      }
      storeDraft(key, { version: updated.version, content: latest.current.content })
      return false
    },
    [key],
  )

  const save = useCallback(async () => {
    window.clearTimeout(timer.current)
    if (latest.current.isBusy || isSame(latest.current.content, latest.current.saved)) return
    latest.current.isBusy = true
    const sent = latest.current.content
    setSaveState({ kind: 'saving' })
    try {
      const updated = await saveDraft(story, latest.current.version, sent, editSession)
      latest.current.isBusy = false
      if (!applySaved(updated, sent)) timer.current = window.setTimeout(() => retry.current(), DEBOUNCE_MS)
    } catch (error) {
      latest.current.isBusy = false
      const problem = error instanceof Problem ? error : null
      if (problem?.status === 412) {
        const theirs = await fetchDraft(story).catch(() => null)
        if (theirs) setSaveState({ kind: 'conflict', theirs })
        else setSaveState({ kind: 'offline', reason: problem.message })
        return
      }
      const isOffline = problem === null || problem.isRetryable || problem.status >= 500
      setSaveState({ kind: isOffline ? 'offline' : 'rejected', reason: problem?.message ?? String(error) })
      if (isOffline) timer.current = window.setTimeout(() => retry.current(), RETRY_MS)
    }
  }, [story, editSession, applySaved])

  useEffect(() => {
    retry.current = () => void save()
  }, [save])

  const change = useCallback(
    (some: Partial<StoryContent>) => {
      const next = { ...latest.current.content, ...some }
      latest.current.content = next
      setContent(next)
      setIsStored(storeDraft(key, { version: latest.current.version, content: next }))
      setSaveState((before) => (before.kind === 'conflict' ? before : { kind: 'editing' }))
    },
    [key],
  )

  const isConflict = saveState.kind === 'conflict'
  useEffect(() => {
    if (isConflict) return
    window.clearTimeout(timer.current)
    timer.current = window.setTimeout(() => void save(), DEBOUNCE_MS)
    return () => window.clearTimeout(timer.current)
  }, [content, isConflict, save])
  useEffect(() => {
    if (isConflict) return
    const saveSoon = () => void save()
    window.addEventListener('online', saveSoon)
    document.addEventListener('visibilitychange', saveSoon)
    return () => {
      window.removeEventListener('online', saveSoon)
      document.removeEventListener('visibilitychange', saveSoon)
    }
  }, [isConflict, save])

  /** Save the local text over theirs, which stays a revision. */
  const keepMine = async (theirs: StoryDraft) => {
    const sent = latest.current.content
    applySaved(await saveDraft(story, theirs.version, sent, editSession), sent)
  }
  /** Restore their text; the local text becomes an earlier revision. */
  const takeTheirs = async (theirs: StoryDraft) => {
    const mine = await saveDraft(story, theirs.version, latest.current.content, editSession)
    show(mine.revision === theirs.revision ? mine : await restoreRevision(story, mine.version, theirs.revision))
  }
  /** Replace the local text with the server's. */
  const show = (updated: StoryDraft) => {
    const fresh = contentOf(updated)
    latest.current.content = fresh
    setContent(fresh)
    applySaved(updated, fresh)
  }
  return { draft, content, saveState, isStored, change, save, show, setDraft, keepMine, takeTheirs }
}
