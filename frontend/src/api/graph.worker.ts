/** Bytes of JSON in, an indexed graph out, so that the page stays awake however large the profile is. */
import { type CompactColumns, expand, type GraphColumns, indexGraph, parcelOf } from '../profile'

export type GraphTask = { task: number; body: ArrayBuffer }

self.addEventListener('message', ({ data: { task, body } }: MessageEvent<GraphTask>) => {
  try {
    const { parcel, buffers } = parcelOf(indexGraph(expand(JSON.parse(new TextDecoder().decode(body)) as GraphColumns | CompactColumns)))
    self.postMessage({ task, parcel }, { transfer: buffers })
  } catch (error) {
    self.postMessage({ task, error: String(error) }, { transfer: [] })
  }
})
