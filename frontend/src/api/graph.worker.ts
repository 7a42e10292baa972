/** Bytes of JSON in, an indexed graph out, so that the page stays awake however large the profile is. */
import { buffersOf, type GraphColumns, indexGraph } from '../profile'

export type GraphTask = { task: number; body: ArrayBuffer }

self.addEventListener('message', ({ data: { task, body } }: MessageEvent<GraphTask>) => {
  try {
    const graph = indexGraph(JSON.parse(new TextDecoder().decode(body)) as GraphColumns)
    self.postMessage({ task, graph }, { transfer: buffersOf(graph) })
  } catch (error) {
    self.postMessage({ task, error: String(error) }, { transfer: [] })
  }
})
