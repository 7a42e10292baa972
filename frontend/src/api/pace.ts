/** How fast bytes come, over the last seconds: what a person sees as the rate, and the time that is left. */
const WINDOW_MS = 8_000

export class Pace {
  #marks: { at: number; bytes: number }[] = []

  /** Note that so many bytes are there. Fewer than before: it began anew, and what was measured says nothing. */
  note(bytes: number, at = performance.now()): void {
    const last = this.#marks.at(-1)
    if (last && bytes < last.bytes) this.#marks = []
    this.#marks.push({ at, bytes })
    while (this.#marks.length > 2 && at - (this.#marks[1]?.at ?? at) > WINDOW_MS) this.#marks.shift()
  }

  /** Bytes a second, 0 when nothing came for a while or nothing is known yet. */
  perSecond(now = performance.now()): number {
    const [first, last] = [this.#marks[0], this.#marks.at(-1)]
    if (!first || !last || now - last.at > WINDOW_MS || now - first.at < 200) return 0
    return ((last.bytes - first.bytes) / (now - first.at)) * 1000
  }

  /** Forget everything. */
  reset(): void {
    this.#marks = []
  }
}
