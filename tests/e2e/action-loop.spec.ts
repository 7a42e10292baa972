import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { readFileSync } from 'node:fs'
import { expect, type Page, test } from '@playwright/test'
import { violationsInBothColours } from './axe'
import { drop, judged, sample } from './evidence'

test.describe.configure({ mode: 'serial' })

/** The recording of the trouble with the frames of reclaim left out: the same programs, and what they did otherwise. */
const SCRIPT = gunzipSync(readFileSync(join(import.meta.dirname, '../../backend/evidence/sample_cases/reclaim-at-the-limit/perf.script.txt.gz')))
const HEALTHY = Buffer.from(
  SCRIPT.toString()
    .split('\n\n')
    .map((one) => {
      const [head, ...frames] = one.split('\n')
      return [head, ...frames.slice(frames.findLastIndex((line) => /(?:reclaim|shrink|try_to_free)\w*\+.*kernel/.test(line)) + 1)].join('\n')
    })
    .join('\n\n'),
)
/** A kernel log of a healthy machine, which says nothing of reclaim. */
const LOG = readFileSync(join(import.meta.dirname, '../data/recorded/healthy/idle.dmesg.txt'), 'utf8')

let address = ''

const loop = (page: Page) => page.getByTestId('action-loop')
const outcome = (page: Page) => page.getByTestId('outcome')

test('a step that was run is recorded, undone and restored, and asks for what shows that it helped', async ({ page }) => {
  await page.goto('/')
  await drop(page, sample('reclaim-at-the-limit'))
  await judged(page)
  address = page.url()
  await page.getByRole('button', { name: 'I ran it' }).click()
  await expect(loop(page)).toContainText('Done when:')
  await expect(loop(page).getByRole('button', { name: /^Copy/ })).toBeVisible()
  expect(await violationsInBothColours(page)).toEqual([])
  await loop(page).getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByRole('button', { name: 'I ran it' })).toBeVisible()
  await page.getByRole('status').getByRole('button', { name: 'Undo' }).last().click()
  // A page that is left while it sends cancels the request.
  await expect(loop(page)).toBeVisible()
  await page.reload()
  await expect(loop(page)).toBeVisible()
  await expect(outcome(page)).toHaveCount(0)
})

test('output that cannot decide leaves it not decided, with what is missing', async ({ page }) => {
  await page.goto(address)
  await loop(page).getByLabel('Output (optional)').fill(LOG)
  await loop(page).getByRole('button', { name: 'Add result' }).click()
  await expect(outcome(page)).toHaveAttribute('data-outcome', 'open')
  await expect(outcome(page)).toContainText('not tested after')
})

test('output without the trouble turns it green, with the figure of before and after', async ({ page }) => {
  await page.goto(address)
  await loop(page).getByRole('button', { name: 'Add its output' }).or(loop(page).getByLabel('Output (optional)')).first().waitFor()
  if (await loop(page).getByRole('button', { name: 'Add its output' }).isVisible()) await loop(page).getByRole('button', { name: 'Add its output' }).click()
  await loop(page).getByLabel('Files of: after the change').setInputFiles({ name: 'perf.script.txt', mimeType: 'text/plain', buffer: HEALTHY })
  await loop(page).getByRole('button', { name: 'Add result' }).click()
  await expect(outcome(page)).toHaveAttribute('data-outcome', 'cleared')
  await expect(loop(page)).toContainText(/Kernel time goes into reclaim of a memory cgroup: 43\.7 % → [\d.]+ %/)
  await page.setViewportSize({ width: 390, height: 844 })
  expect(await violationsInBothColours(page)).toEqual([])
})
