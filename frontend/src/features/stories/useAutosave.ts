import { useCallback, useEffect, useRef, useState } from 'react'
import { contentOf, fetchDraft, Problem, restoreRevision, saveDraft, type StoryContent, type StoryDraft } from '../../api'
import { isSame, keep, loadKept } from './kept'

/** Where the writing stands. `away`: the server does not answer. `refused`: it said no, and why. `conflict`: somebody else saved. */
export type Standing = { is: 'saved' | 'writing' | 'saving' } | { is: 'away' | 'refused'; why: string } | { is: 'conflict'; theirs: StoryDraft }

const REST_MS = 900
const AGAIN_MS = 4_000

/** The draft that is written here: every key kept in the browser, saved when the writing rests, never over somebody else's. */
export function useAutosave(story: string, opened: StoryDraft, key: string) {
  const [draft, setDraft] = useState(opened)
  const [begun] = useState(() => {
    const kept = loadKept(key)
    return kept && !isSame(kept.content, contentOf(opened)) ? kept : null
  })
  const [content, setContent] = useState(begun?.content ?? contentOf(opened))
  const isTwo = begun !== null && begun.version !== opened.version
  const [standing, setStanding] = useState<Standing>(isTwo ? { is: 'conflict', theirs: opened } : { is: begun ? 'writing' : 'saved' })
  const [isKept, setIsKept] = useState(true)
  const [sitting] = useState(() => crypto.randomUUID())
  const now = useRef({ content, version: isTwo ? begun.version : opened.version, saved: contentOf(opened), isBusy: false })
  const waiting = useRef<number>(undefined)
  const again = useRef<() => void>(() => undefined)

  const settle = useCallback(
    (told: StoryDraft, sent: StoryContent) => {
      now.current.version = told.version
      now.current.saved = sent
      setDraft(told)
      if (isSame(now.current.content, sent)) {
        keep(key, null)
        setStanding({ is: 'saved' })
        return true
      }
      keep(key, { version: told.version, content: now.current.content })
      return false
    },
    [key],
  )

  const save = useCallback(async () => {
    window.clearTimeout(waiting.current)
    if (now.current.isBusy || isSame(now.current.content, now.current.saved)) return
    now.current.isBusy = true
    const sent = now.current.content
    setStanding({ is: 'saving' })
    try {
      const told = await saveDraft(story, now.current.version, sent, sitting)
      now.current.isBusy = false
      if (!settle(told, sent)) waiting.current = window.setTimeout(() => again.current(), REST_MS)
    } catch (error) {
      now.current.isBusy = false
      const problem = error instanceof Problem ? error : null
      if (problem?.status === 412) {
        const theirs = await fetchDraft(story).catch(() => null)
        if (theirs) setStanding({ is: 'conflict', theirs })
        else setStanding({ is: 'away', why: problem.message })
        return
      }
      const isAway = problem === null || problem.isWorthAnotherTry || problem.status >= 500
      setStanding({ is: isAway ? 'away' : 'refused', why: problem?.message ?? String(error) })
      if (isAway) waiting.current = window.setTimeout(() => again.current(), AGAIN_MS)
    }
  }, [story, sitting, settle])

  useEffect(() => {
    again.current = () => void save()
  }, [save])

  const change = useCallback(
    (some: Partial<StoryContent>) => {
      const next = { ...now.current.content, ...some }
      now.current.content = next
      setContent(next)
      setIsKept(keep(key, { version: now.current.version, content: next }))
      setStanding((before) => (before.is === 'conflict' ? before : { is: 'writing' }))
    },
    [key],
  )

  const isConflict = standing.is === 'conflict'
  useEffect(() => {
    if (isConflict) return
    window.clearTimeout(waiting.current)
    waiting.current = window.setTimeout(() => void save(), REST_MS)
    return () => window.clearTimeout(waiting.current)
  }, [content, isConflict, save])
  useEffect(() => {
    if (isConflict) return
    const soon = () => void save()
    window.addEventListener('online', soon)
    document.addEventListener('visibilitychange', soon)
    return () => {
      window.removeEventListener('online', soon)
      document.removeEventListener('visibilitychange', soon)
    }
  }, [isConflict, save])

  /** Put one's own text in the place of theirs, which stays a revision. */
  const keepMine = async (theirs: StoryDraft) => {
    const sent = now.current.content
    settle(await saveDraft(story, theirs.version, sent, sitting), sent)
  }
  /** Let theirs stand; one's own becomes a revision before it. */
  const takeTheirs = async (theirs: StoryDraft) => {
    const mine = await saveDraft(story, theirs.version, now.current.content, sitting)
    show(mine.revision === theirs.revision ? mine : await restoreRevision(story, mine.version, theirs.revision))
  }
  /** Go on from what the server has. */
  const show = (told: StoryDraft) => {
    const fresh = contentOf(told)
    now.current.content = fresh
    setContent(fresh)
    settle(told, fresh)
  }
  return { draft, content, standing, isKept, change, save, show, setDraft, keepMine, takeTheirs }
}
