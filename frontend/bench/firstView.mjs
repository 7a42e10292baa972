// What the first view of a page costs the browser: `make bench-first-view`.
//
//     node frontend/bench/firstView.mjs before|after    measure the instance of CASEBOOK_E2E_URL
//     node frontend/bench/firstView.mjs report          write benchmarks/FIRST_VIEW.md

import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { cpus, loadavg, release } from 'node:os'
import { join } from 'node:path'
import { chromium } from '@playwright/test'

const TOP = join(import.meta.dirname, '../..')
const FOLDER = join(TOP, 'var/bench/first-view')
const SAMPLE = join(TOP, 'backend/evidence/sample_cases/reclaim-at-the-limit')
const ROUNDS = Number(process.env.CASEBOOK_BENCH_ROUNDS ?? 7)
const SETTLE_MS = 3_000
const MANY = 87
const DROPS = Number(process.env.CASEBOOK_BENCH_DROPS ?? 3)

const ms = (value) => `${Math.round(value * 1_000)} ms`
const dropped = (key) => (one) => one.drops.map((each) => (key === 'seconds' ? `${each[key].toFixed(1)} s` : each[key])).join(', ')
const read = (label) => (existsSync(join(FOLDER, `${label}.json`)) ? JSON.parse(readFileSync(join(FOLDER, `${label}.json`), 'utf8')) : null)
const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]

/** Send files as a case of their own and wait until it is judged; returns its number. */
async function caseOf(page, files) {
  const form = new FormData()
  for (const [name, content] of files) form.append('files', new File([content], name))
  const answer = await page.request.post('/api/v1/evidence', { multipart: form, timeout: 120_000 })
  const { number } = (await answer.json()).case
  for (;;) {
    const found = await (await page.request.get(`/api/v1/cases/${number}`)).json()
    if (found.judged && found.reading_count === 0) return number
    await page.waitForTimeout(500)
  }
}

/** Load an address in a tab with an empty cache; seconds of script and of style and layout, kilobytes and requests. */
async function load(browser, options, address, shown) {
  const context = await browser.newContext(options)
  const page = await context.newPage()
  const client = await context.newCDPSession(page)
  let bytes = 0
  let requests = 0
  client.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength
    requests++
  })
  await client.send('Network.enable')
  // Processor time, which other programs of the machine do not change.
  await client.send('Performance.enable', { timeDomain: 'threadTicks' })
  await page.goto(address)
  // Without the driver's own script in the page, which would be counted.
  const expression = `document.querySelector('[data-testid="${shown}"]') !== null`
  for (const until = Date.now() + 120_000; !(await client.send('Runtime.evaluate', { expression })).result.value; ) {
    if (Date.now() > until) throw new Error(`${address} does not show ${shown}`)
    await new Promise((done) => setTimeout(done, 100))
  }
  await new Promise((done) => setTimeout(done, SETTLE_MS))
  const { metrics } = await client.send('Performance.getMetrics')
  const of = (name) => metrics.find((one) => one.name === name)?.value ?? 0
  await context.close()
  return { script: of('ScriptDuration'), layout: of('LayoutDuration') + of('RecalcStyleDuration'), task: of('TaskDuration'), kilobytes: bytes / 1_000, requests }
}

/** Drop many small files on the list of cases; the requests until they are judged. */
async function dropMany(browser, options) {
  const context = await browser.newContext(options)
  const page = await context.newPage()
  await page.goto('/')
  await page.getByTestId('case-table').waitFor()
  const sent = []
  page.on('request', (request) => sent.push(`${request.method()} ${new URL(request.url()).pathname}`))
  const files = Array.from({ length: MANY }, (_, at) => ({ name: `run${at}.folded`, mimeType: 'text/plain', buffer: Buffer.from(`main;read_${at} ${at + 1}\n`) }))
  const start = Date.now()
  await page.getByTestId('file-input').setInputFiles(files)
  await page.waitForURL(/\/cases\/\d+/)
  const number = /\/cases\/(\d+)/.exec(page.url())[1]
  let seconds = 0
  for (;;) {
    const found = await (await page.request.get(`/api/v1/cases/${number}`)).json()
    seconds = (Date.now() - start) / 1_000
    if (found.evidence_count === MANY && found.judged && found.reading_count === 0) break
    await page.waitForTimeout(500)
  }
  await page.waitForTimeout(SETTLE_MS)
  await context.close()
  return { seconds, sending: sent.filter((one) => /^(POST|PATCH|HEAD) .*\/(uploads|evidence)/.test(one)).length, reading: sent.filter((one) => one.startsWith('GET /api/')).length }
}

async function measure(label) {
  const baseURL = process.env.CASEBOOK_E2E_URL
  const token = process.env.CASEBOOK_E2E_TOKEN
  const browser = await chromium.launch({ executablePath: process.env.CASEBOOK_CHROMIUM ?? '/usr/bin/chromium-headless-shell', args: ['--no-sandbox', '--disable-gpu'] })
  const context = await browser.newContext({ baseURL })
  const page = await context.newPage()
  await page.goto(`/sign-in?token=${encodeURIComponent(token)}`)
  await page.getByTestId('drop-zone').waitFor()
  const files = readdirSync(SAMPLE, { recursive: true, encoding: 'utf8' }).filter((path) => statSync(join(SAMPLE, path)).isFile())
  const number = await caseOf(page, files.map((path) => [path, readFileSync(join(SAMPLE, path))]))
  const options = { baseURL, viewport: { width: 1440, height: 900 }, storageState: await context.storageState() }
  await context.close()
  const pages = { cases: ['/', 'case-table'], case: [`/cases/${number}`, 'flame-graph'], library: ['/library', 'library-result'] }
  const costs = {}
  for (const [name, [address, shown]] of Object.entries(pages)) {
    const rounds = []
    for (let round = 0; round < ROUNDS; round++) rounds.push(await load(browser, options, address, shown))
    costs[name] = Object.fromEntries(Object.keys(rounds[0]).map((key) => [key, median(rounds.map((one) => one[key]))]))
    process.stderr.write(`${label} ${name}: ${JSON.stringify(costs[name])}\n`)
  }
  const drops = []
  for (let round = 0; round < DROPS; round++) drops.push(await dropMany(browser, options))
  process.stderr.write(`${label} drop: ${JSON.stringify(drops)}\n`)
  mkdirSync(FOLDER, { recursive: true })
  writeFileSync(join(FOLDER, `${label}.json`), JSON.stringify({ costs, drops, version: browser.version(), commit: process.env.CASEBOOK_BENCH_COMMIT ?? '' }))
  await browser.close()
}

function report() {
  const [before, after] = [read('before'), read('after')]
  const titles = { cases: 'list of cases', case: 'case of a recording', library: 'library' }
  const both = (take, unit = '') => [before, after].map((one) => (one ? `${take(one)}${unit}` : '–')).join(' | ')
  const rows = Object.entries(titles).flatMap(([name, title]) => {
    const cost = (key) => (one) => one.costs[name][key]
    return [
      `| ${title}: script | ${both((one) => ms(cost('script')(one)))} |`,
      `| ${title}: style and layout | ${both((one) => ms(cost('layout')(one)))} |`,
      `| ${title}: script, style and layout | ${both((one) => ms(cost('script')(one) + cost('layout')(one)))} |`,
      `| ${title}: received | ${both((one) => Math.round(cost('kilobytes')(one)), ' kB')} |`,
      `| ${title}: requests | ${both(cost('requests'))} |`,
    ]
  })
  writeFileSync(
    join(TOP, 'benchmarks/FIRST_VIEW.md'),
    `# First view of the pages

${new Date().toISOString().slice(0, 10)}, ${cpus().length} CPUs, Linux ${release()}, load ${loadavg()[0].toFixed(1)} at the end, Chromium ${after.version} without GPU, 1440 × 900.
Medians of ${ROUNDS} loads with an empty cache: processor time of the main thread until ${SETTLE_MS / 1_000} s after its content is shown, of the whole
application each time, and all bytes with the answers of the API. ${before ? `Before is commit ${before.commit}` : 'No earlier commit was measured'}; the case is the sample case of a recording. \`make bench-first-view BEFORE=DIR\`.

| | before | after |
| --- | --- | --- |
${rows.join('\n')}

${MANY} small files dropped on the list of cases, one figure for each time:

| | before | after |
| --- | --- | --- |
| until judged | ${both(dropped('seconds'))} |
| requests that send | ${both(dropped('sending'))} |
| requests that read meanwhile | ${both(dropped('reading'))} |
`,
  )
}

const [what = 'after'] = process.argv.slice(2)
await (what === 'report' ? report() : measure(what))
