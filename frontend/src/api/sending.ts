import type { DetailedError, Upload } from 'tus-js-client'
import { continued, type Dropped, fingerprintOf, folderOf, inOrder, type Sending, type SendStage } from './drops'
import { Pace } from './pace'
import { type Problem, problemFrom } from './problem'
import { isPassing, problemOf, RETRY_DELAYS_MS } from './tries'
import type { UploadBegun, UploadRead } from './types'

type Drop = { files: number; bytes: number; folder: string; begun: (caseNumber: number) => void; refused: (problem: Problem) => void }
type Entry = Sending & { file: File; drop: Drop; isLead: boolean; tus: Upload | null; pace: Pace; movedAt: number }

/** More at once would only make each slower, and browsers allow six connections to one server. */
const AT_ONCE = 3
/** A file of at most so many bytes is sent in the request that begins it. */
const SMALL_BYTES = 256 * 1024
const SILENT_MS = 45_000
const TELL_EVERY_MS = 250

/** Everything that this tab sends, whatever page is shown; one for the whole application. */
class Sender {
  #entries: Entry[] = []
  #told: readonly Sending[] = []
  #listeners = new Set<() => void>()
  #timer: ReturnType<typeof setTimeout> | undefined
  #last = 0

  constructor() {
    window.addEventListener('online', () => this.#entries.filter(({ stage }) => stage === 'away').forEach((entry) => this.#again(entry)))
    // A request on its way may hang for minutes before it notices.
    window.addEventListener('offline', () => this.#entries.filter(({ stage }) => stage === 'sending').forEach((entry) => this.#halt(entry, 'away')))
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  snapshot = (): readonly Sending[] => this.#told

  /**
   * Send files: each goes on with the upload among `begun` that it continues; the others join the case, or a new one.
   * Resolves with the number of the case as soon as there is one; rejects when the server has no room for all of them.
   */
  add(files: readonly Dropped[], caseNumber: number | null, begun: readonly UploadRead[]): Promise<number> {
    if (files.length === 0) return Promise.reject(problemFrom({ detail: 'Nothing was dropped: a folder without files has no evidence in it.' }, 400))
    return new Promise((resolve, reject) => {
      const drop: Drop = {
        files: files.length,
        bytes: files.reduce((sum, { file }) => sum + file.size, 0),
        folder: folderOf(files.map(({ path }) => path)),
        begun: resolve,
        refused: reject,
      }
      const known = inOrder(files).map((dropped) => ({ dropped, upload: continued(dropped, begun) }))
      const place = caseNumber ?? known.find(({ upload }) => upload)?.upload?.case_number ?? null
      const lead = known.find(({ upload }) => !upload)
      for (const each of known) this.#enter(each.dropped, drop, each.upload?.case_number ?? place, each.upload, each === lead)
      if (!lead && place !== null) resolve(place)
      this.#pump()
      this.#publish()
    })
  }

  pause(key: string): void {
    this.#change(key, (entry) => {
      if (entry.stage === 'waiting' || entry.stage === 'sending' || entry.stage === 'away') this.#halt(entry, 'paused')
    })
  }

  /** Go on with what was paused, stopped or taken over. */
  resume(key: string): void {
    this.#change(key, (entry) => {
      void entry.tus?.abort()
      entry.stage = 'waiting'
      entry.reason = ''
    })
    this.#pump()
  }

  /** Stop sending a file and no longer show it; the answer brings it back, and says what is left to forget. */
  withdraw(key: string): { undo: () => void; uploadId: string | null } {
    const entry = this.#entries.find((each) => each.key === key)
    if (!entry) return { undo: () => undefined, uploadId: null }
    this.#halt(entry, 'paused')
    this.forget([key])
    const heir = entry.isLead && this.#entries.find(({ drop }) => drop === entry.drop)
    if (heir) heir.isLead = true
    const undo = () => {
      this.#entries.push({ ...entry, isLead: entry.isLead && !heir, tus: null, stage: 'waiting', reason: '' })
      this.#pump()
    }
    return { undo, uploadId: entry.uploadId }
  }

  /** Take off the list what needs no attention any more. */
  forget(keys: readonly string[]): void {
    this.#entries = this.#entries.filter(({ key }) => !keys.includes(key))
    this.#tell()
  }

  #enter({ file, path }: Dropped, drop: Drop, caseNumber: number | null, upload: UploadRead | undefined, isLead: boolean): void {
    const rival = upload && this.#entries.find(({ uploadId }) => uploadId === upload.id)
    if (rival) {
      if (rival.stage !== 'sending' && rival.stage !== 'waiting') this.resume(rival.key)
      return
    }
    this.#entries.push({
      key: String(++this.#last),
      caseNumber,
      uploadId: upload?.id ?? null,
      path,
      sizeBytes: file.size,
      sentBytes: upload?.offset_bytes ?? 0,
      bytesPerSecond: 0,
      stage: 'waiting',
      reason: '',
      file,
      drop,
      isLead,
      tus: null,
      pace: new Pace(),
      movedAt: 0,
    })
  }

  #pump(): void {
    const busy = this.#entries.filter(({ stage }) => stage === 'sending' || stage === 'away').length
    // Until the first file of a drop has made the case, the others do not know where to go.
    const ready = this.#entries.filter(({ stage, caseNumber, isLead }) => stage === 'waiting' && (caseNumber !== null || isLead))
    for (const entry of ready.slice(0, Math.max(0, AT_ONCE - busy))) {
      entry.stage = 'sending'
      void this.#start(entry)
    }
    this.#tell()
  }

  async #start(entry: Entry): Promise<void> {
    entry.pace.reset()
    entry.movedAt = performance.now()
    const { Upload } = await import('tus-js-client')
    if (entry.stage !== 'sending') return
    const door = entry.caseNumber === null ? '/api/v1/uploads' : `/api/v1/cases/${entry.caseNumber}/uploads`
    const { drop, isLead } = entry
    const together = isLead && { drop_files: String(drop.files), drop_bytes: String(drop.bytes), drop_folder: drop.folder }
    entry.tus = new Upload(entry.file, {
      endpoint: new URL(door, window.location.href).href,
      uploadUrl: entry.uploadId && new URL(`/api/v1/uploads/${entry.uploadId}`, window.location.href).href,
      metadata: { filename: entry.path, fingerprint: fingerprintOf(entry.file), ...together },
      // The server knows which files wait for their rest, on whatever page or machine somebody comes back.
      storeFingerprintForResuming: false,
      uploadDataDuringCreation: entry.file.size > 0 && entry.file.size <= SMALL_BYTES,
      retryDelays: RETRY_DELAYS_MS,
      onAfterResponse: (request, response) => {
        if (request.getMethod() === 'POST' && response.getStatus() === 201) this.#begun(entry, JSON.parse(response.getBody()) as UploadBegun)
      },
      onProgress: (bytes) => this.#moved(entry, bytes),
      onShouldRetry: (error) => this.#mayTryAgain(entry, error),
      onSuccess: () => this.#finished(entry),
      onError: (error) => this.#stopped(entry, error),
    })
    entry.tus.start()
  }

  #begun(entry: Entry, { upload, case_number: caseNumber }: UploadBegun): void {
    entry.uploadId = upload.id
    entry.caseNumber = caseNumber
    if (!entry.isLead) return
    entry.isLead = false
    for (const other of this.#entries) if (other.drop === entry.drop) other.caseNumber ??= caseNumber
    entry.drop.begun(caseNumber)
    this.#pump()
  }

  #moved(entry: Entry, bytes: number): void {
    entry.sentBytes = bytes
    entry.pace.note(bytes)
    entry.movedAt = performance.now()
    if (entry.stage === 'away') entry.stage = 'sending'
    entry.reason = ''
    this.#tell()
  }

  #mayTryAgain(entry: Entry, error: DetailedError): boolean {
    const isAway = isPassing(error)
    if (isAway && entry.stage === 'sending') entry.stage = 'away'
    this.#tell()
    return isAway
  }

  #finished(entry: Entry): void {
    entry.stage = 'sent'
    entry.sentBytes = entry.sizeBytes
    this.#pump()
  }

  #stopped(entry: Entry, error: Error): void {
    const problem = problemOf(error)
    if (entry.isLead && problem.status >= 400) {
      // Nothing has begun, and what the first was refused the others would be too.
      this.#entries = this.#entries.filter((each) => each.drop !== entry.drop || each.uploadId !== null)
      entry.drop.refused(problem)
    } else {
      entry.stage = problem.status === 423 ? 'taken' : 'stopped'
      entry.reason = problem.message
    }
    this.#pump()
  }

  #halt(entry: Entry, stage: SendStage): void {
    entry.stage = stage
    void entry.tus?.abort()
    entry.tus = null
    this.#pump()
  }

  #again(entry: Entry): void {
    void entry.tus?.abort()
    entry.stage = 'sending'
    void this.#start(entry)
  }

  #change(key: string, change: (entry: Entry) => void): void {
    const entry = this.#entries.find((each) => each.key === key)
    if (entry) change(entry)
    this.#publish()
  }

  /** Tell whoever watches, at most a few times a second; while something is sent, also that nothing moves. */
  #tell(): void {
    if (this.#timer !== undefined) return
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      const now = performance.now()
      for (const entry of this.#entries) {
        entry.bytesPerSecond = entry.stage === 'sending' ? entry.pace.perSecond(now) : 0
        if ((entry.stage === 'sending' || entry.stage === 'away') && now - entry.movedAt > SILENT_MS) this.#again(entry)
      }
      this.#publish()
      if (this.#entries.some(({ stage }) => stage === 'sending' || stage === 'away')) this.#tell()
    }, TELL_EVERY_MS)
  }

  #publish(): void {
    this.#told = this.#entries.map(({ file: _file, drop: _drop, isLead: _isLead, tus: _tus, pace: _pace, movedAt: _movedAt, ...told }) => told)
    for (const listener of this.#listeners) listener()
  }
}

export const sender = new Sender()
