import type { Selection } from '../../api'
import { withoutRange } from './selecting'
import { STACK_SEPARATOR } from './types'

/**
 * What a pin holds on to: names of a stack, a stretch of time, or who ran; never places on the screen.
 *
 * In an address: `main;read`, `time:3.2-8`, `samples:0-5`, `thread:31 cadvisor`.
 */
export type Pin = { kind: 'stack'; names: string[] } | { kind: 'time'; from: number; to: number } | { kind: 'samples'; from: number; to: number } | { kind: 'thread'; tid: number; comm: string }

const NUMBER = String.raw`(\d+(?:\.\d+)?(?:e-?\d+)?)`
const RANGE = new RegExp(`^(time|samples):${NUMBER}-${NUMBER}$`)
const THREAD = /^thread:(\d+)(?: (.*))?$/s

export function readPin(text: string): Pin {
  const range = RANGE.exec(text)
  const [from, to] = [Number(range?.[2]), Number(range?.[3])]
  if (range && from < to) return { kind: range[1] as 'time' | 'samples', from, to }
  const thread = THREAD.exec(text)
  if (thread) return { kind: 'thread', tid: Number(thread[1]), comm: thread[2] ?? '' }
  return { kind: 'stack', names: text.split(STACK_SEPARATOR) }
}

/** The selected stretch as a pin, or null when all of the recording is selected. */
export function pinOfRange({ t0, t1, from_sample, to_sample }: Selection): string | null {
  if (t0 !== undefined && t1 !== undefined) return `time:${t0}-${t1}`
  if (from_sample !== undefined && to_sample !== undefined) return `samples:${from_sample}-${to_sample}`
  return null
}

export function pinOfThread(tid: number, comm: string): string {
  return `thread:${tid} ${comm}`.trim()
}

/** The selection that goes to what a pin holds; null of a stack, which is found in the graph. */
export function selectionOfPin(pin: Pin, selection: Selection): Selection | null {
  if (pin.kind === 'time') return { ...withoutRange(selection), t0: pin.from, t1: pin.to }
  if (pin.kind === 'samples') return { ...withoutRange(selection), from_sample: pin.from, to_sample: pin.to }
  if (pin.kind === 'thread') return { ...selection, comm: undefined, tid: [pin.tid] }
  return null
}
