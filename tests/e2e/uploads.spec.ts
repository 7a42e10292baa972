import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, type Page, test } from '@playwright/test'
import { drop, judged, sample, text } from './evidence'
import { RESULTS } from './results'

type Upload = { id: string; case_number: number; offset_bytes: number; size_bytes: number }

const MIB = 1 << 20
const FOLDER = `${RESULTS}/sent`

/** Folded stacks weighing their offset, so that a repeated or misplaced byte changes the hash; cheap to parse. */
function lines(name: string, bytes: number): { path: string; sha256: string } {
  mkdirSync(FOLDER, { recursive: true })
  const path = join(FOLDER, name)
  const content = Buffer.alloc(bytes)
  for (let at = 0; at < bytes; at += 64) content.write(`${name};`.padEnd(62 - String(at).length, '.').concat(` ${at}\n`), at)
  writeFileSync(path, content)
  return { path, sha256: createHash('sha256').update(content).digest('hex') }
}

/** Throttles the connection from the page to the server; returns how to cut and to restore it. */
async function throttle(page: Page, bytesPerSecond: number): Promise<{ cut: () => Promise<void>; mend: () => Promise<void> }> {
  const chromium = await page.context().newCDPSession(page)
  await chromium.send('Network.enable')
  const set = async (offline: boolean, uploadThroughput: number) => {
    await chromium.send('Network.emulateNetworkConditions', { offline, latency: 0, downloadThroughput: -1, uploadThroughput })
  }
  await set(false, bytesPerSecond)
  return { cut: () => set(true, bytesPerSecond), mend: () => set(false, -1) }
}

async function choose(page: Page, path: string): Promise<void> {
  await page.getByTestId('file-input').setInputFiles(path)
}

/** Waits until the upload has begun. */
async function underWay(page: Page): Promise<void> {
  await page.waitForURL(/\/cases\/\d+/)
  const bar = page.getByTestId('sending-row').getByRole('progressbar')
  await expect.poll(async () => Number(await bar.getAttribute('value'))).toBeGreaterThan(MIB)
}

/** Waits until the file is uploaded and judged. */
async function received(page: Page): Promise<void> {
  // The list itself folds as soon as its files are read.
  await expect(page.getByTestId('sending-row')).toHaveCount(0, { timeout: 240_000 })
  await expect(page.getByTestId('evidence-summary')).toContainText('1 file')
  await judged(page)
}

function apiProcesses(): number[] {
  const status = JSON.parse(readFileSync(join(process.env.CASEBOOK_DATA_DIR ?? '', 'run/processes.json'), 'utf8')) as { processes: { name: string; pid: number }[] }
  return status.processes.filter(({ name }) => /^api(-\d+)?$/.test(name)).map(({ pid }) => pid)
}

/** The files of the case on the server. */
async function arrived(page: Page): Promise<{ filename: string; sha256: string }[]> {
  const number = /\/cases\/(\d+)/.exec(page.url())?.[1]
  const response = await page.request.get(`/api/v1/cases/${number}/evidence`)
  return ((await response.json()) as { items: { filename: string; sha256: string }[] }).items.map(({ filename, sha256 }) => ({ filename, sha256 }))
}

const uploads = async (page: Page): Promise<Upload[]> => ((await (await page.request.get('/api/v1/uploads')).json()) as { items: Upload[] }).items

test('a paused upload resumes and arrives unchanged', async ({ page }) => {
  const file = lines('paused.txt', 24 * MIB)
  await page.goto('/')
  const line = await throttle(page, MIB)
  await choose(page, file.path)
  await underWay(page)
  await expect(page.getByTestId('sending-pace')).toContainText(/of 24.0 MiB · .*\/s · .* left/)
  await page.getByRole('button', { name: 'Pause paused.txt' }).click()
  await expect(page.getByTestId('sending-row')).toHaveAttribute('data-stage', 'paused')
  await line.mend()
  await page.getByRole('button', { name: 'Resume: paused.txt' }).click()
  await received(page)
  expect(await arrived(page)).toEqual([{ filename: 'paused.txt', sha256: file.sha256 }])
})

test('an upload resumes after its tab was closed', async ({ page, context }) => {
  const file = lines('closed.txt', 24 * MIB)
  const other = lines('other.txt', 3 * MIB)
  await page.goto('/')
  await throttle(page, MIB)
  await choose(page, file.path)
  await underWay(page)
  const url = page.url()
  await page.close()
  const again = await context.newPage()
  await again.goto('/')
  const listed = again.getByTestId('unfinished-uploads').locator('[data-path="closed.txt"]')
  await expect(listed).toContainText('of 24.0 MiB uploaded')
  await again.goto(url)
  await expect(again.getByTestId('unfinished-row')).toContainText('choose or drop the same file')
  await again.getByTestId('resume-input').setInputFiles(other.path)
  await expect(again.getByRole('alert')).toContainText('Different file.')
  await expect.poll(async () => (await uploads(again)).find(({ size_bytes }) => size_bytes === 24 * MIB)?.offset_bytes ?? 0).toBeGreaterThan(0)
  await again.getByTestId('resume-input').setInputFiles(file.path)
  await received(again)
  expect(await arrived(again)).toEqual([{ filename: 'closed.txt', sha256: file.sha256 }])
})

test('an upload survives the death of the server and arrives once', async ({ page }) => {
  const file = lines('killed.txt', 48 * MIB)
  await page.goto('/')
  const line = await throttle(page, 2 * MIB)
  await choose(page, file.path)
  await underWay(page)
  const killed = apiProcesses()
  expect(killed).not.toEqual([])
  for (const pid of killed) process.kill(pid, 'SIGKILL')
  await line.mend()
  await received(page)
  expect(apiProcesses().filter((pid) => killed.includes(pid))).toEqual([])
  expect(await arrived(page)).toEqual([{ filename: 'killed.txt', sha256: file.sha256 }])
})

test('an upload resumes after a dropped connection', async ({ page }) => {
  const file = lines('cut.txt', 24 * MIB)
  await page.goto('/')
  const line = await throttle(page, MIB)
  await choose(page, file.path)
  await underWay(page)
  await line.cut()
  await expect(page.getByTestId('sending-row')).toHaveAttribute('data-stage', 'away')
  await expect(page.getByTestId('sending-row')).toContainText('resumes where it stopped')
  await line.mend()
  await received(page)
  expect(await arrived(page)).toEqual([{ filename: 'cut.txt', sha256: file.sha256 }])
})

test('of two tabs with one file the later one uploads, and it arrives once', async ({ page, context }) => {
  const file = lines('twice.txt', 24 * MIB)
  await page.goto('/')
  await throttle(page, MIB / 4)
  await choose(page, file.path)
  await underWay(page)
  const later = await context.newPage()
  await later.goto(page.url())
  await expect(later.getByTestId('unfinished-row')).toBeVisible()
  const line = await throttle(later, MIB / 4)
  await choose(later, file.path)
  await expect(page.getByTestId('sending-row')).toHaveAttribute('data-stage', 'taken')
  await line.mend()
  await received(later)
  await expect(page.getByTestId('sending-row')).toHaveCount(0)
  expect(await arrived(later)).toEqual([{ filename: 'twice.txt', sha256: file.sha256 }])
})

test('small files are judged during a large upload, whose cancellation can be undone', async ({ page }) => {
  test.slow()
  const large = lines('large.txt', 40 * MIB)
  await page.goto('/')
  await drop(page, sample('reclaim-at-the-limit'))
  await page.waitForURL(/\/cases\/\d+/)
  await expect(page.getByTestId('case-page')).toBeVisible()
  await expect(page.getByRole('progressbar', { name: 'All files' })).toHaveCount(0, { timeout: 300_000 })
  await throttle(page, MIB / 16)
  await choose(page, large.path)
  await expect(page.getByTestId('finding-card')).toHaveAttribute('data-verdict', 'match', { timeout: 400_000 })
  const row = page.locator('[data-testid=sending-row][data-path="large.txt"]')
  await expect(row).toHaveAttribute('data-stage', 'sending')
  await page.getByRole('button', { name: 'Cancel large.txt' }).click()
  await expect(row).toHaveCount(0)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(row).toHaveAttribute('data-stage', 'sending')
  await page.getByRole('button', { name: 'Cancel large.txt' }).click()
  await page.getByRole('button', { name: 'Dismiss' }).click()
  await expect.poll(async () => (await uploads(page)).filter(({ size_bytes }) => size_bytes === 40 * MIB).length).toBe(0)
})

test('many small files travel in batches, below one bar, and the page refetches sparingly', async ({ page }) => {
  const files = Array.from({ length: 87 }, (_, at) => text(`host${at % 3}/run${at}.folded`, `main;read_${at} ${at + 1}\n`))
  await page.goto('/')
  await expect(page.getByTestId('case-table')).toBeVisible()
  const requests: string[] = []
  page.on('request', (request) => requests.push(`${request.method()} ${new URL(request.url()).pathname}`))
  const rows: number[] = []
  const started = Date.now()
  page.on('requestfinished', () => void page.getByTestId('sending-row').count().then((count) => rows.push(count), () => undefined))
  await drop(page, files)
  await page.waitForURL(/\/cases\/\d+/)
  await expect(page.getByTestId('evidence-summary')).toHaveText(/^87 files/, { timeout: 300_000 })
  await judged(page)
  const sent = requests.filter((request) => /^(POST|PATCH|HEAD) .*\/(uploads|evidence)/.test(request))
  const read = requests.filter((request) => request.startsWith('GET /api/'))
  expect(sent.length, sent.join('\n')).toBeLessThanOrEqual(30)
  // A round of at most 8 requests every six seconds, however long a busy machine reads.
  const busyRounds = Math.ceil(Math.max(0, Date.now() - started - 30_000) / 6_000)
  expect(read.length, read.join('\n')).toBeLessThanOrEqual(60 + 8 * busyRounds)
  expect(Math.max(0, ...rows)).toBeLessThanOrEqual(3)
  const number = /\/cases\/(\d+)/.exec(page.url())?.[1]
  const stored = ((await (await page.request.get(`/api/v1/cases/${number}/evidence?limit=500`)).json()) as { items: { captured_path: string }[] }).items
  expect(stored.map(({ captured_path: path }) => path).toSorted()).toEqual(files.map(({ path }) => path).toSorted())
  test.info().annotations.push({ type: 'requests', description: `${sent.length} sent, ${read.length} read` })
})

test('an upload that exceeds the free space is rejected before its first byte and creates no case', async ({ page }) => {
  const before = await uploads(page)
  const reserved: string[] = []
  // Reserve all free space with uploads that are never sent.
  for (;;) {
    const response = await page.request.post('/api/v1/uploads', { headers: { 'Tus-Resumable': '1.0.0', 'Upload-Length': String(8 * 1024 * MIB) } })
    if (response.status() === 507) break
    reserved.push(((await response.json()) as { upload: Upload }).upload.id)
  }
  const { left_bytes: freeBytes } = (await (await page.request.get('/api/v1/limits')).json()) as { left_bytes: number }
  const last = await page.request.post('/api/v1/uploads', { headers: { 'Tus-Resumable': '1.0.0', 'Upload-Length': String(Math.max(0, freeBytes - 64 * MIB)) } })
  reserved.push(((await last.json()) as { upload: Upload }).upload.id)
  await page.goto('/')
  await choose(page, lines('too-large.txt', 80 * MIB).path)
  await expect(page.getByRole('alert')).toContainText('Not enough disk space for')
  await expect(page).toHaveURL(/\/$/)
  for (const id of reserved) await page.request.delete(`/api/v1/uploads/${id}`, { headers: { 'Tus-Resumable': '1.0.0' } })
  expect((await uploads(page)).length).toBe(before.length)
})

test('a pasted image is rejected with advice', async ({ page }) => {
  await page.goto('/')
  await expect(page.getByTestId('drop-zone')).toContainText('GiB per file')
  await page.evaluate(() => {
    const clipboardData = new DataTransfer()
    clipboardData.items.add(new File([new Uint8Array([0x89, 0x50, 0x4e, 0x47])], 'image.png', { type: 'image/png' }))
    document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  })
  await expect(page.getByRole('alert')).toContainText('Copy the text from the terminal')
  await expect(page).toHaveURL(/\/$/)
})
