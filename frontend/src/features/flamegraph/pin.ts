import type { Selection } from '../../api'
import { withoutRange } from './selection'
import { STACK_SEPARATOR } from './types'

/**
 * A pinned stack (by names), range (in seconds or samples) or thread.
 *
 * In the URL: `main;read`, `time:3.2-8`, `samples:0-5`, `thread:31 cadvisor`.
 */
export type Pin = { kind: 'stack'; names: string[] } | { kind: 'time'; from: number; to: number } | { kind: 'samples'; from: number; to: number } | { kind: 'thread'; tid: number; comm: string }

const NUMBER = String.raw`(\d+(?:\.\d+)?(?:e-?\d+)?)`
const RANGE = new RegExp(`^(time|samples):${NUMBER}-${NUMBER}$`)
const THREAD = /^thread:(\d+)(?: (.*))?$/s

/** Parses a pin from the URL; text of no other kind is a stack. */
export function readPin(text: string): Pin {
  const range = RANGE.exec(text)
  const [from, to] = [Number(range?.[2]), Number(range?.[3])]
  if (range && from < to) return { kind: range[1] as 'time' | 'samples', from, to }
  const thread = THREAD.exec(text)
  if (thread) return { kind: 'thread', tid: Number(thread[1]), comm: thread[2] ?? '' }
  return { kind: 'stack', names: text.split(STACK_SEPARATOR) }
}

/** The selected range as a pin; null when the whole recording is selected. */
export function pinOfRange({ t0, t1, from_sample, to_sample }: Selection): string | null {
  if (t0 !== undefined && t1 !== undefined) return `time:${t0}-${t1}`
  if (from_sample !== undefined && to_sample !== undefined) return `samples:${from_sample}-${to_sample}`
  return null
}

export function pinOfThread(tid: number, comm: string): string {
  return `thread:${tid} ${comm}`.trim()
}

/** The selection that shows a pin; null for a stack, which is selected in the graph instead. */
export function selectionOfPin(pin: Pin, selection: Selection): Selection | null {
  if (pin.kind === 'time') return { ...withoutRange(selection), t0: pin.from, t1: pin.to }
  if (pin.kind === 'samples') return { ...withoutRange(selection), from_sample: pin.from, to_sample: pin.to }
  if (pin.kind === 'thread') return { ...selection, comm: undefined, tid: [pin.tid] }
  return null
}
