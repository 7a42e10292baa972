import { createHash } from 'node:crypto'
import { closeSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { expect, test } from '@playwright/test'
import { chooseAction } from './case-menu'
import { badLine } from './line'
import { RESULTS, SESSION } from './results'

/** MB of the perf script; `make story` uses the full size. */
const MEGABYTES = Number(process.env.CASEBOOK_STORY_MB ?? '24')
const IS_FULL = MEGABYTES >= 500
const RATE = IS_FULL ? 12e6 : 2e6
const CRAWL = 50_000
const SOSREPORT = join(import.meta.dirname, '../data/sosreport/sosreport-analytics-db-02.trimmed.tar.xz')
const RECORDING = join(import.meta.dirname, '../../backend/evidence/sample_cases/reclaim-at-the-limit/perf.script.txt.gz')
const FOLDER = `${RESULTS}/night`
const PAGE = join(import.meta.dirname, '../../benchmarks/STORY.md')
const CUT_SECONDS = IS_FULL ? 10 : 2

/** A long recording: the same seconds repeated with increasing timestamps. */
function longRecording(bytes: number): { path: string; size: number; sha256: string } {
  mkdirSync(FOLDER, { recursive: true })
  const path = join(FOLDER, 'perf.script')
  const recording = gunzipSync(readFileSync(RECORDING)).toString('latin1')
  const times = [...recording.matchAll(/\] +(\d+\.\d{6}):/g)].map(([, at]) => Number(at))
  const length = (times.at(-1) ?? 0) - (times[0] ?? 0) + 0.01
  const digest = createHash('sha256')
  const file = openSync(path, 'w')
  let size = 0
  for (let round = 0; size < bytes; round++) {
    const chunk = Buffer.from(
      recording.replace(/(\] +)(\d+\.\d{6}):/g, (_, before: string, at: string) => `${before}${(Number(at) + round * length).toFixed(6)}:`),
      'latin1',
    )
    digest.update(chunk)
    writeSync(file, chunk)
    size += chunk.length
  }
  closeSync(file)
  return { path, size, sha256: digest.digest('hex') }
}

test('03:00: a long perf script and a sosreport over a bad line; an answer before the rest has come, label, note, close', async ({ browser, baseURL, request }) => {
  test.setTimeout(IS_FULL ? 1_800_000 : 900_000)
  const script = longRecording(MEGABYTES * 1e6)
  const line = await badLine(baseURL ?? '', { rate: RATE, cutBytes: script.size / 4, cutSeconds: CUT_SECONDS, mostCuts: 3 })
  const context = await browser.newContext({ baseURL: line.url, storageState: SESSION, viewport: { width: 1440, height: 900 } })
  const page = await context.newPage()
  await page.goto('/')
  const start = Date.now()
  const elapsed = () => (Date.now() - start) / 1000
  await page.getByTestId('file-input').setInputFiles([script.path, SOSREPORT])
  await page.waitForURL(/\/cases\/\d+/)
  const number = /\/cases\/(\d+)/.exec(page.url())?.[1] ?? ''
  const permalinkAfter = elapsed()
  const sending = page.locator('[data-testid=sending-row][data-path="perf.script"]')
  const bar = sending.getByRole('progressbar')
  // Enough bytes are uploaded to be judged; the rest is slow, so that judging finishes first on a busy machine.
  const slowed = expect
    .poll(async () => Number(await bar.getAttribute('value')), { timeout: 300_000 })
    .toBeGreaterThan(script.size / 4)
    .then(() => !IS_FULL && line.setRate(CRAWL))
  await expect(page.getByTestId('finding-card')).toBeVisible({ timeout: 300_000 })
  const firstAfter = elapsed()
  // The page stays mounted while the connection is down.
  await page.evaluate(() => {
    new MutationObserver(() => {
      if (!document.querySelector('[data-testid=case-page]')) document.documentElement.dataset.unmounted = 'true'
    }).observe(document.body, { childList: true, subtree: true })
  })
  await slowed
  const provisional = page.getByText('provisional: upload in progress')
  const marked = page.getByTestId('finding-row').filter({ hasText: 'provisional' })
  await expect(provisional.or(marked).first()).toBeVisible({ timeout: 240_000 })
  const provisionalAfter = elapsed()
  const here = Number(await bar.getAttribute('value'))
  expect(here).toBeLessThan(script.size)
  await page.getByRole('button', { name: /^▸ Evidence|^Evidence/ }).click()
  await expect(page.locator('[data-testid=evidence-row]', { hasText: 'perf.script' })).toContainText('first part; upload in progress')
  // Long lines of a sosreport do not widen the findings column.
  const column = await page.getByRole('region', { name: 'Findings' }).boundingBox()
  const card = await page.getByTestId('finding-card').boundingBox()
  expect(card?.width).toBeLessThanOrEqual((column?.width ?? 0) + 1)
  await page.screenshot({ path: `${FOLDER}/provisional.png` })

  if (!IS_FULL) line.setRate(RATE * 8)
  const arriving = async () => ((await (await request.get(`/api/v1/cases/${number}`)).json()) as { arriving_count: number }).arriving_count
  await expect.poll(arriving, { timeout: IS_FULL ? 900_000 : 120_000 }).toBe(0)
  const arrivedAfter = elapsed()
  await expect(page.getByTestId('case-page')).toHaveAttribute('data-judged', 'true', { timeout: IS_FULL ? 600_000 : 240_000 })
  const judgedAfter = elapsed()
  await expect(page.getByTestId('sending-row')).toHaveCount(0)
  await expect(page.locator('html[data-unmounted]')).toHaveCount(0)
  await expect(provisional).toHaveCount(0)
  await expect(marked).toHaveCount(0)
  const stored = ((await (await page.request.get(`/api/v1/cases/${number}/evidence`)).json()) as { items: { filename: string; sha256: string; parent_id: string | null }[] }).items
  expect(stored.filter(({ filename }) => filename === 'perf.script').map(({ sha256 }) => sha256)).toEqual([script.sha256])

  const labels = page.getByTestId('label-panel')
  await labels.getByRole('button', { name: 'Right', exact: true }).click()
  await expect(labels.getByRole('list')).toContainText('right')
  await page.getByRole('navigation', { name: 'Parts of the case' }).getByRole('button', { name: /Notes and timeline/ }).click()
  await page.getByLabel('Add a note').fill('Raised the limit of the group at 03:20; load falls.')
  await page.getByRole('button', { name: 'Save note' }).click()
  await expect(page.locator('[data-testid=timeline-entry][data-kind=note]')).toContainText('load falls')
  await chooseAction(page, 'Close case')
  const dialog = page.getByRole('dialog', { name: /Close case/ })
  await dialog.getByLabel(/^Cause/).fill('The backup filled the page cache of the group.')
  await dialog.getByRole('button', { name: 'Close case' }).click()
  await expect(page.getByTestId('resolution')).toContainText('The backup filled the page cache')
  await page.screenshot({ path: `${FOLDER}/closed.png` })
  await context.close()
  rmSync(script.path)
  const transfer = await line.end()
  expect(transfer.cuts).toBe(3)
  // No more than the file, and the bytes in flight at each cut.
  expect(transfer.bytes).toBeLessThan(script.size * 1.5 + 3 * (32 << 20))
  if (IS_FULL) writeFileSync(PAGE, reportOf({ size: script.size, here, ...transfer, permalinkAfter, firstAfter, provisionalAfter, arrivedAfter, judgedAfter }))
})

const mb = (bytes: number) => `${Math.round(bytes / 1e6).toLocaleString('en')} MB`

type Figures = Record<'size' | 'here' | 'bytes' | 'cuts' | 'permalinkAfter' | 'firstAfter' | 'provisionalAfter' | 'arrivedAfter' | 'judgedAfter', number>

/** The figures of one run as a Markdown page. */
function reportOf(of: Figures): string {
  const rows: [string, string][] = [
    ['the case has its page', `${of.permalinkAfter.toFixed(1)} s`],
    ['the first finding, from the sosreport', `${of.firstAfter.toFixed(1)} s`],
    [`the first 40 MB are judged, marked as provisional (${mb(of.here)} had been sent)`, `${of.provisionalAfter.toFixed(1)} s`],
    ['all bytes are there', `${of.arrivedAfter.toFixed(1)} s`],
    ['all is read and judged, nothing is provisional', `${of.judgedAfter.toFixed(1)} s`],
  ]
  return `# The story of 03:00

Written by \`make story\` (\`tests/e2e/night.spec.ts\`): a perf script of ${mb(of.size)} and a sosreport, dropped in a real browser on a line of
${(RATE / 1e6).toFixed(0)} MB/s that was cut ${of.cuts} times for ${CUT_SECONDS} seconds. The line carried ${mb(of.bytes)} in all, and the file arrived as it was, to the byte.

| since the drop | after |
| --- | ---: |
${rows.map(([what, when]) => `| ${what} | ${when} |`).join('\n')}
`
}
