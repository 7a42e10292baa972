const WINDOW_MS = 8_000

/** Transfer rate over a sliding window of `WINDOW_MS`. */
export class TransferRate {
  #samples: { at: number; bytes: number }[] = []

  /** Add a sample: `bytes` transferred so far. Fewer bytes than before restart the measurement. */
  add(bytes: number, at = performance.now()): void {
    const last = this.#samples.at(-1)
    if (last && bytes < last.bytes) this.#samples = []
    this.#samples.push({ at, bytes })
    while (this.#samples.length > 2 && at - (this.#samples[1]?.at ?? at) > WINDOW_MS) this.#samples.shift()
  }

  /** Bytes per second; 0 after a stall or with too few samples. */
  perSecond(now = performance.now()): number {
    const [first, last] = [this.#samples[0], this.#samples.at(-1)]
    if (!first || !last || now - last.at > WINDOW_MS || now - first.at < 200) return 0
    return ((last.bytes - first.bytes) / (now - first.at)) * 1000
  }

  /** Discard all samples. */
  reset(): void {
    this.#samples = []
  }
}
