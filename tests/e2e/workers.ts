import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '../..')

/** Let jobs wait: the workers of the instance stand still until the returned function is called. */
export function stopWorkers(): () => void {
  const record = readFileSync(join(process.env.CASEBOOK_DATA_DIR ?? 'var', 'run/processes.json'), 'utf-8')
  const { processes } = JSON.parse(record) as { processes: { name: string; pid: number }[] }
  const pids = processes.filter(({ name }) => name.startsWith('worker-')).map(({ pid }) => pid)
  for (const pid of pids) process.kill(pid, 'SIGSTOP')
  return () => pids.forEach((pid) => process.kill(pid, 'SIGCONT'))
}

/** Have all queued jobs failed in all their attempts; see fail_jobs.py. */
export function failJobs(): void {
  execFileSync(join(ROOT, '.venv/bin/python'), ['-m', 'tests.e2e.fail_jobs'], { cwd: ROOT })
}
