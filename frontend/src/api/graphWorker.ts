import { type Graph, graphOf, type Parcel } from '../profile'

type WorkerResult = { task: number; parcel?: Parcel; error?: string }
type Pending = { resolve: (graph: Graph) => void; reject: (error: Error) => void }

const pending = new Map<number, Pending>()
let worker: Worker | undefined
let last = 0

function getWorker(): Worker {
  if (worker) return worker
  worker = new Worker(new URL('./graph.worker.ts', import.meta.url), { type: 'module', name: 'graphs' })
  worker.addEventListener('message', ({ data: { task, parcel, error } }: MessageEvent<WorkerResult>) => {
    if (parcel) pending.get(task)?.resolve(graphOf(parcel))
    else pending.get(task)?.reject(new Error(`The graph could not be parsed: ${error}`))
    pending.delete(task)
  })
  worker.addEventListener('error', () => {
    for (const { reject } of pending.values()) reject(new Error('The graph worker crashed. Reload the page.'))
    pending.clear()
    worker = undefined
  })
  return worker
}

/** Parse and index a graph in the web worker. `body` is JSON and is transferred. */
export function indexInWorker<Result extends Graph = Graph>(body: ArrayBuffer): Promise<Result> {
  const task = ++last
  return new Promise((resolve, reject) => {
    pending.set(task, { resolve: resolve as (graph: Graph) => void, reject })
    getWorker().postMessage({ task, body }, [body])
  })
}
