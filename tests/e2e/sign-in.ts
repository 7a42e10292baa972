import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { chromium, type FullConfig } from '@playwright/test'

const ROOT = join(import.meta.dirname, '../..')

/** Change when an account signed in; see sign_in_time.py. */
export function moveSignIns(name: string, when: 'an hour ago' | 'tomorrow'): void {
  execFileSync(join(ROOT, '.venv/bin/python'), ['-m', 'tests.e2e.sign_in_time', name, when], { cwd: ROOT })
}

/** Global setup: sign in with the printed token and store the session for all tests. */
export default async function signIn(config: FullConfig): Promise<void> {
  const use = config.projects[0]?.use
  const token = process.env.CASEBOOK_E2E_TOKEN
  if (!use || !token) throw new Error('CASEBOOK_E2E_TOKEN must hold a sign-in token of the instance')
  const browser = await chromium.launch(use.launchOptions)
  const page = await browser.newPage({ baseURL: use.baseURL ?? '' })
  await page.goto(`/sign-in?token=${encodeURIComponent(token)}`)
  await page.getByTestId('drop-zone').waitFor()
  const state = String(use.storageState)
  mkdirSync(dirname(state), { recursive: true })
  await page.context().storageState({ path: state })
  await browser.close()
  // Changes to members need a sign-in of the last 15 minutes, and a run on a busy machine takes longer.
  moveSignIns('owner', 'tomorrow')
}
