import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '../..')

type Line = { url: string; setRate: (bytesPerSecond: number) => void; end: () => Promise<{ bytes: number; cuts: number }> }

/** Start a proxy with limited bandwidth that drops connections after every `cutBytes` for `cutSeconds`; see line.py. */
export async function badLine(to: string, options: { rate: number; cutBytes: number; cutSeconds: number; mostCuts: number }): Promise<Line> {
  const { port } = new URL(to)
  const args = ['-m', 'tests.e2e.line', port, '--rate', options.rate, '--cut-bytes', options.cutBytes, '--cut-seconds', options.cutSeconds, '--most-cuts', options.mostCuts]
  const process = spawn(join(ROOT, '.venv/bin/python'), args.map(String), { cwd: ROOT, stdio: ['pipe', 'pipe', 'inherit'] })
  const output = createInterface(process.stdout)[Symbol.asyncIterator]()
  const next = async () => {
    const { value } = (await output.next()) as { value: string | undefined }
    if (value === undefined) throw new Error('the proxy exited without output')
    return value
  }
  return {
    url: `http://127.0.0.1:${await next()}`,
    setRate: (bytesPerSecond) => void process.stdin.write(`${bytesPerSecond}\n`),
    end: async () => {
      process.stdin.end()
      return JSON.parse(await next()) as { bytes: number; cuts: number }
    },
  }
}
