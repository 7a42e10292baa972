// Large drops in the browser: times, requests and memory. `make bench-drops`, written to benchmarks/DROPS.md.
//
// CASEBOOK_E2E_URL and CASEBOOK_E2E_TOKEN name an instance that it may fill; CASEBOOK_BENCH_MIB is the size of the perf script.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus, loadavg, release } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { chromium } from '@playwright/test'

const ROOT = join(import.meta.dirname, '../..')
const SAMPLE = join(ROOT, 'backend/evidence/sample_cases/reclaim-at-the-limit/perf.script.txt.gz')
const MIB = 1 << 20
const SIZE = Number(process.env.CASEBOOK_BENCH_MIB ?? 150) * MIB
const url = process.env.CASEBOOK_E2E_URL
const token = process.env.CASEBOOK_E2E_TOKEN
if (!url || !token) throw new Error('CASEBOOK_E2E_URL and CASEBOOK_E2E_TOKEN must name an instance')
const SENDS = /^(POST|PATCH|HEAD) .*\/(uploads|evidence)/
const folder = join(ROOT, 'var/bench/drops')
mkdirSync(folder, { recursive: true })

/** A perf script of the wanted size: samples of a recording with rising times. */
function largeScript() {
  const source = gunzipSync(readFileSync(SAMPLE)).toString()
  const path = join(folder, 'large.perf.script')
  const parts = []
  for (let size = 0, round = 0; size < SIZE; round++) {
    const text = source.replaceAll(/(\s)(\d+)(\.\d{6}: )/g, (_, before, seconds, rest) => `${before}${Number(seconds) + round * 100}${rest}`)
    parts.push(text)
    size += Buffer.byteLength(text)
  }
  writeFileSync(path, parts.join('\n'))
  return [path]
}

/** Small files of one or many hosts. */
function smallFiles(count, hosts) {
  return Array.from({ length: count }, (_, at) => {
    const path = join(folder, `host${at % hosts}-${at}.txt`)
    const host = `db${at % hosts}`
    writeFileSync(path, `$ uname -a\nLinux ${host} 6.1.0-18-amd64 #1 SMP Debian 6.1.76-1 x86_64 GNU/Linux\n\n$ cat /proc/loadavg\n${(at % 9) / 10} 0.20 0.30 1/${200 + at} 4242\n\n==> /proc/pressure/memory <==\nsome avg10=${at % 40}.00 avg60=1.00 avg300=0.50 total=${at}\nfull avg10=0.00 avg60=0.00 avg300=0.00 total=0\n`)
    return path
  })
}

const report = join(ROOT, 'benchmarks/DROPS.md')
const browser = await chromium.launch({ executablePath: process.env.CASEBOOK_CHROMIUM ?? '/usr/bin/chromium-headless-shell', args: ['--no-sandbox', '--disable-gpu', '--enable-precise-memory-info'] })
const context = await browser.newContext({ baseURL: url, viewport: { width: 1440, height: 900 } })
const page = await context.newPage()
await page.goto(`/sign-in?token=${encodeURIComponent(token)}`)
await page.getByTestId('drop-zone').waitFor()

/** Send files by the page, and measure until the case is judged and drawn. */
async function measure(name, files) {
  await page.goto('/')
  await page.getByTestId('drop-zone').waitFor()
  await page.waitForTimeout(1_000)
  const requests = []
  const start = Date.now()
  const since = () => (Date.now() - start) / 1_000
  const nameOf = (request) => `${request.method()} ${new URL(request.url()).pathname}`
  const note = (request) => requests.push(nameOf(request))
  let sent = 0
  const end = (request) => {
    if (SENDS.test(nameOf(request))) sent = since()
  }
  page.on('request', note).on('requestfinished', end)
  await page.getByTestId('file-input').setInputFiles(files)
  await page.waitForURL(/\/cases\/\d+/)
  const finding = page.locator('[data-testid=finding-card], [data-testid=overview]').first().waitFor({ timeout: 900_000 }).then(since)
  await page.locator('[data-testid=case-page][data-judged=true]').waitFor({ timeout: 900_000 })
  const judged = since()
  const first = await finding
  await page.waitForTimeout(3_000)
  page.off('request', note).off('requestfinished', end)
  const memory = await page.evaluate(() => performance.memory.usedJSHeapSize / 1e6)
  const row = {
    name,
    first,
    sent,
    judged,
    sending: requests.filter((one) => SENDS.test(one)).length,
    reading: requests.filter((one) => one.startsWith('GET /api/')).length,
    memory,
    address: new URL(page.url()).pathname,
  }
  await page.screenshot({ path: join(folder, `${name.replaceAll(' ', '-')}.png`) })
  process.stdout.write(`${JSON.stringify(row)}\n`)
  return row
}

const DROPS = { [`perf script of ${process.env.CASEBOOK_BENCH_MIB ?? 150} MiB`]: largeScript, '87 small files': () => smallFiles(87, 3), '500 small files': () => smallFiles(500, 1), '120 files of 40 hosts': () => smallFiles(120, 40) }
const load = loadavg()[0].toFixed(1)
const rows = []
for (const [name, make] of Object.entries(DROPS)) if (!process.env.CASEBOOK_BENCH_ONLY || name.includes(process.env.CASEBOOK_BENCH_ONLY)) rows.push(await measure(name, make()))
const version = browser.version()
await browser.close()
const seconds = (value) => `${value.toFixed(1)} s`
writeFileSync(
  report,
  [
    '# Large drops in the browser',
    '',
    `Printed by \`make bench-drops\`: ${cpus().length} CPUs, Linux ${release()}, load ${load} at the start, Chromium ${version} at 1440 × 900, the service on the same machine.`,
    'Times from the choice of the files on, until the first finding or headline is drawn, until the last request that sends ends, and until all is judged and drawn. Requests that',
    'read are counted until 3 s after that. The heap is that of the page, at the end.',
    '',
    '| drop | first finding or headline | sent | judged | requests that send | requests that read | heap of the page |',
    '| --- | --- | --- | --- | --- | --- | --- |',
    ...rows.map((row) => `| ${row.name} | ${seconds(row.first)} | ${seconds(row.sent)} | ${seconds(row.judged)} | ${row.sending} | ${row.reading} | ${row.memory.toFixed(0)} MB |`),
    '',
    'The script repeats one recording of memory reclaim (2.8 MB) with rising times; the small files hold the release of the kernel, the load and the memory pressure of their host.',
    '',
  ].join('\n'),
)
