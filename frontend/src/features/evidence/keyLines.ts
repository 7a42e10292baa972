/** The lines of a kernel report that name what happened, to whom and where. */
const KEY = new RegExp(
  [
    /\bBUG: |\bOops\b|Kernel panic|\bWARNING: |general protection fault|UBSAN: |unable to handle/,
    /\b(?:Read|Write) of size \d|^(?:Allocated|Freed) by task/,
    /invoked oom-killer|^(?:memory|memory\+swap): usage|hierarchical_memory_limit|^Memory cgroup stats for|^oom-kill:|Killed process/,
    /blocked for more than|soft lockup|hard LOCKUP|detected stalls|self-detected stall|Call traces? for|^Workqueue: |\bComm: /,
    /I\/O error|Remounting filesystem|aborting journal|aborted journal|Hardware Error|timed out/i,
  ]
    .map(({ source }) => source)
    .join('|'),
)
/** What precedes the message of a kernel log line: time and date, task or CPU, syslog host. */
const PREFIX = /^(?:\S+ +\d+ [\d:.]+ \S+ kernel: |\d{4}-\S+ \S+ kernel: )?(?:<\d+>)?(?:\[[^\]]*\] ?)*(?:\(\d+\) ?)?/
const FRAME = /^\s*([\w.]+)\+0x[\da-f]+\/0x[\da-f]+/
/** Frames of the allocator and its checker: those below them say whose object it was. */
const ALLOCATOR = /^(?:__)?(?:kasan|k[mzc]alloc|kvmalloc|kfree|kmem_cache|slab|slub|save_stack|set_track|stack_trace|poison)|^_+k(?:asan|malloc|free)/
/** Frames of the report itself; those below them say whose code it was. */
const REPORTING = /^(?:dump_|show_|print_|__?(?:kasan|warn|ubsan)|kasan|kmsan|kcsan|check_(?:memory_region|region)|asan_|warn_|report_|die|do_error_trap|exc_|asm_|oops)/
const FRAMES = 2
/** A longer range is read by its key lines. */
const MAX_LINES = 14

/** Whether a line of a kernel report names what happened, to whom or where. */
export const isKeyLine = (line: string) => KEY.test(line.replace(PREFIX, ''))

/** So many lines of a range are looked at: a report names what happened in its first ones. */
const HEAD = 200

/** Whether a cited range is a report too long to read whole; a long sample is not, all of it is the evidence. */
export function isReport(first: number, last: number, textOf: (line: number) => string | undefined): boolean {
  if (last - first < MAX_LINES) return false
  for (let at = first; at <= Math.min(last, first + HEAD); at++) if (isKeyLine(textOf(at) ?? '')) return true
  return false
}

export type KeyLine = { number: number; text: string }

/** The decisive lines of a cited range in order, with the code at fault and the owner of a freed object; empty when the range is short enough to read. */
export function keyLines(lines: readonly string[], first: number): KeyLine[] {
  if (lines.length <= MAX_LINES) return []
  const kept: KeyLine[] = []
  let [frames, isFault] = [0, false]
  for (const [at, line] of lines.entries()) {
    const text = line.replace(PREFIX, '')
    const name = FRAME.exec(text)?.[1]
    const isOwner = frames > 0 && name !== undefined && !ALLOCATOR.test(name) && !REPORTING.test(name)
    if (isOwner) frames--
    if (isOwner || KEY.test(text)) kept.push({ number: first + at, text: line })
    isFault ||= /^(?:BUG|WARNING|Oops)\b/.test(text)
    if (/^(?:Allocated|Freed) by task/.test(text) || (isFault && text.startsWith('Call Trace:'))) frames = FRAMES
  }
  return kept.slice(0, MAX_LINES)
}
