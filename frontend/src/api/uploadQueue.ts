import type { DetailedError } from 'tus-js-client'
import { nextBatch } from './batches'
import { sendTogether } from './batchUpload'
import { type Dropped, folderOf, inOrder, resumableUpload, type Sending, type SendStage } from './drops'
import { problemFrom } from './problem'
import { tusUpload } from './tusUpload'
import type { UploadCreated, UploadRead } from './types'
import { type Drop, type Entry, newEntry, sendingOf } from './uploadEntry'
import { isTransient, problemOf } from './uploadRetry'

/** Parallel uploads; browsers allow six connections per server. */
const MAX_PARALLEL = 3
const STALL_TIMEOUT_MS = 45_000
const PUBLISH_INTERVAL_MS = 250

/** Uploads of this tab, independent of the page shown; one instance per application. */
class UploadQueue {
  #entries: Entry[] = []
  #snapshot: readonly Sending[] = []
  #listeners = new Set<() => void>()
  #timer: ReturnType<typeof setTimeout> | undefined
  #last = 0
  #watchesConnection = false

  /** Not in the constructor: modules that import the queue are also loaded where there is no window. */
  #watchConnection(): void {
    if (this.#watchesConnection) return
    this.#watchesConnection = true
    window.addEventListener('online', () => this.#entries.filter(({ stage, batch }) => stage === 'away' && !batch).forEach((entry) => this.#restart(entry)))
    // A request in flight may take minutes to detect a lost connection.
    window.addEventListener('offline', () => this.#entries.filter(({ stage }) => stage === 'sending').forEach((entry) => (entry.batch ? entry.batch.abort() : this.#abort(entry, 'away'))))
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  snapshot = (): readonly Sending[] => this.#snapshot

  /**
   * Queue files. Each resumes its upload in `incomplete` if there is one; the others go to the case, or to a new one.
   *
   * @returns The case number, as soon as the case exists. Rejects if the server rejects the drop.
   */
  add(files: readonly Dropped[], caseNumber: number | null, incomplete: readonly UploadRead[]): Promise<number> {
    if (files.length === 0) return Promise.reject(problemFrom({ detail: 'The dropped folder contains no files.' }, 400))
    this.#watchConnection()
    return new Promise((resolve, reject) => {
      const drop: Drop = {
        files: files.length,
        bytes: files.reduce((sum, { file }) => sum + file.size, 0),
        folder: folderOf(files.map(({ path }) => path)),
        onCase: resolve,
        onRejected: reject,
      }
      const queued = inOrder(files).map((dropped) => ({ dropped, upload: resumableUpload(dropped, incomplete) }))
      const targetCase = caseNumber ?? queued.find(({ upload }) => upload)?.upload?.case_number ?? null
      const lead = queued.find(({ upload }) => !upload)
      for (const each of queued) this.#enqueue(each.dropped, drop, each.upload?.case_number ?? targetCase, each.upload, each === lead)
      if (!lead && targetCase !== null) resolve(targetCase)
      this.#startWaiting()
      this.#publish()
    })
  }

  pause(key: string): void {
    this.#change(key, (entry) => {
      if (entry.stage === 'waiting' || entry.stage === 'sending' || entry.stage === 'away') this.#abort(entry, 'paused')
    })
  }

  /** Resume a paused, stopped or taken upload. */
  resume(key: string): void {
    this.#change(key, (entry) => {
      void entry.tus?.abort()
      entry.stage = 'waiting'
      entry.reason = ''
    })
    this.#startWaiting()
  }

  /** Stop an upload and remove it from the list. Returns an undo function and the id of the server-side upload. */
  withdraw(key: string): { undo: () => void; uploadId: string | null } {
    const entry = this.#entries.find((each) => each.key === key)
    if (!entry) return { undo: () => undefined, uploadId: null }
    this.#abort(entry, 'paused')
    this.forget([key])
    const nextLead = entry.isLead && this.#entries.find(({ drop }) => drop === entry.drop)
    if (nextLead) nextLead.isLead = true
    const undo = () => {
      this.#entries.push({ ...entry, isLead: entry.isLead && !nextLead, tus: null, batch: null, stage: 'waiting', reason: '' })
      this.#startWaiting()
    }
    return { undo, uploadId: entry.uploadId }
  }

  /** Remove entries from the list. */
  forget(keys: readonly string[]): void {
    this.#entries = this.#entries.filter(({ key }) => !keys.includes(key))
    this.#schedulePublish()
  }

  #enqueue(dropped: Dropped, drop: Drop, caseNumber: number | null, upload: UploadRead | undefined, isLead: boolean): void {
    const existing = upload && this.#entries.find(({ uploadId }) => uploadId === upload.id)
    if (existing) {
      if (existing.stage !== 'sending' && existing.stage !== 'waiting') this.resume(existing.key)
      return
    }
    this.#entries.push(newEntry(String(++this.#last), dropped, drop, caseNumber, upload, isLead))
  }

  /** Start waiting files: small ones of a case in batches, the others one by one. */
  #startWaiting(): void {
    const active = this.#entries.filter(({ stage }) => stage === 'sending' || stage === 'away')
    let free = MAX_PARALLEL - new Set(active.map((entry) => entry.batch ?? entry)).size
    for (; free > 0; free--) {
      // The lead file of a drop creates the case; the others wait for its number.
      const ready = this.#entries.filter(({ stage, caseNumber, isLead }) => stage === 'waiting' && (caseNumber !== null || isLead))
      const [first] = ready
      if (!first) break
      const together = nextBatch(ready.filter(({ caseNumber, uploadId, isSingle }) => caseNumber !== null && caseNumber === first.caseNumber && !uploadId && !isSingle))
      if (together.length > 0) void sendTogether(together, () => this.#schedulePublish()).then(() => this.#startWaiting())
      else {
        first.stage = 'sending'
        void this.#start(first)
      }
    }
    this.#schedulePublish()
  }

  async #start(entry: Entry): Promise<void> {
    entry.rate.reset()
    entry.progressAt = performance.now()
    const tus = await tusUpload(entry, {
      onCreated: (created) => this.#created(entry, created),
      onProgress: (bytes) => this.#progressed(entry, bytes),
      onShouldRetry: (error) => this.#shouldRetry(entry, error),
      onSuccess: () => this.#finished(entry),
      onError: (error) => this.#failed(entry, error),
    })
    if (entry.stage !== 'sending') return
    entry.tus = tus
    tus.start()
  }

  #created(entry: Entry, { upload, case_number: caseNumber }: UploadCreated): void {
    entry.uploadId = upload.id
    entry.caseNumber = caseNumber
    if (!entry.isLead) return
    entry.isLead = false
    for (const other of this.#entries) if (other.drop === entry.drop) other.caseNumber ??= caseNumber
    entry.drop.onCase(caseNumber)
    this.#startWaiting()
  }

  #progressed(entry: Entry, bytes: number): void {
    entry.sentBytes = bytes
    entry.rate.add(bytes)
    entry.progressAt = performance.now()
    if (entry.stage === 'away') entry.stage = 'sending'
    entry.reason = ''
    this.#schedulePublish()
  }

  #shouldRetry(entry: Entry, error: DetailedError): boolean {
    const isAway = isTransient(error)
    if (isAway && entry.stage === 'sending') entry.stage = 'away'
    this.#schedulePublish()
    return isAway
  }

  #finished(entry: Entry): void {
    entry.stage = 'sent'
    entry.sentBytes = entry.sizeBytes
    this.#startWaiting()
  }

  #failed(entry: Entry, error: Error): void {
    const problem = problemOf(error)
    if (entry.isLead && problem.status >= 400) {
      // No upload was created; the server would reject the others for the same reason.
      this.#entries = this.#entries.filter((each) => each.drop !== entry.drop || each.uploadId !== null)
      entry.drop.onRejected(problem)
    } else {
      entry.stage = problem.status === 423 ? 'taken' : 'stopped'
      entry.reason = problem.message
    }
    this.#startWaiting()
  }

  #abort(entry: Entry, stage: SendStage): void {
    entry.stage = stage
    void entry.tus?.abort()
    entry.tus = null
    const { batch } = entry
    // The others of its batch wait again.
    entry.batch = null
    batch?.abort()
    this.#startWaiting()
  }

  #restart(entry: Entry): void {
    if (entry.batch) return entry.batch.abort()
    void entry.tus?.abort()
    entry.stage = 'sending'
    void this.#start(entry)
  }

  #change(key: string, change: (entry: Entry) => void): void {
    const entry = this.#entries.find((each) => each.key === key)
    if (entry) change(entry)
    this.#publish()
  }

  /** Notify listeners at most every `PUBLISH_INTERVAL_MS`; restart stalled uploads. */
  #schedulePublish(): void {
    if (this.#timer !== undefined) return
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      const now = performance.now()
      for (const entry of this.#entries) {
        entry.bytesPerSecond = entry.stage === 'sending' ? entry.rate.perSecond(now) : 0
        if ((entry.stage === 'sending' || entry.stage === 'away') && now - entry.progressAt > STALL_TIMEOUT_MS) this.#restart(entry)
      }
      this.#publish()
      if (this.#entries.some(({ stage }) => stage === 'sending' || stage === 'away')) this.#schedulePublish()
    }, PUBLISH_INTERVAL_MS)
  }

  #publish(): void {
    this.#snapshot = this.#entries.map(sendingOf)
    for (const listener of this.#listeners) listener()
  }
}

export const uploadQueue = new UploadQueue()
