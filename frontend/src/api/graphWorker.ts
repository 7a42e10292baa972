import { type Graph, graphOf, type Parcel } from '../profile'

type Answer = { task: number; parcel?: Parcel; error?: string }
type Waiting = { settle: (graph: Graph) => void; fail: (error: Error) => void }

const waiting = new Map<number, Waiting>()
let worker: Worker | undefined
let last = 0

function started(): Worker {
  if (worker) return worker
  worker = new Worker(new URL('./graph.worker.ts', import.meta.url), { type: 'module', name: 'graphs' })
  worker.addEventListener('message', ({ data: { task, parcel, error } }: MessageEvent<Answer>) => {
    if (parcel) waiting.get(task)?.settle(graphOf(parcel))
    else waiting.get(task)?.fail(new Error(`The graph could not be understood: ${error}`))
    waiting.delete(task)
  })
  worker.addEventListener('error', () => {
    for (const { fail } of waiting.values()) fail(new Error('The background thread that lays graphs out ended. Reload the page.'))
    waiting.clear()
    worker = undefined
  })
  return worker
}

/** Lay a graph out off the main thread; `body` is the JSON as it came, and is given away. */
export function indexInWorker<Told extends Graph = Graph>(body: ArrayBuffer): Promise<Told> {
  const task = ++last
  return new Promise((settle, fail) => {
    waiting.set(task, { settle: settle as (graph: Graph) => void, fail })
    started().postMessage({ task, body }, [body])
  })
}
