/** Web worker: parses and indexes a graph, so that large profiles do not block the page. */
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
