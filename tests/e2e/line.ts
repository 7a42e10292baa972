import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '../..')

type Line = { url: string; setRate: (bytesPerSecond: number) => void; end: () => Promise<{ bytes: number; cuts: number }> }

/** A slow line to the instance that breaks after every `cutBytes`, for `cutSeconds`: see line.py. */
export async function badLine(to: string, given: { rate: number; cutBytes: number; cutSeconds: number; mostCuts: number }): Promise<Line> {
  const { port } = new URL(to)
  const words = ['-m', 'tests.e2e.line', port, '--rate', given.rate, '--cut-bytes', given.cutBytes, '--cut-seconds', given.cutSeconds, '--most-cuts', given.mostCuts]
  const process = spawn(join(ROOT, '.venv/bin/python'), words.map(String), { cwd: ROOT, stdio: ['pipe', 'pipe', 'inherit'] })
  const said = createInterface(process.stdout)[Symbol.asyncIterator]()
  const next = async () => {
    const { value } = (await said.next()) as { value: string | undefined }
    if (value === undefined) throw new Error('the line ended without a word')
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
