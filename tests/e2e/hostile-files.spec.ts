import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type BrowserContext, expect, type Page, test } from '@playwright/test'
import { gunzipSync } from 'node:zlib'
import { drop, judged, sample } from './evidence'
import { HOSTILE_COMM, HOSTILE_TITLE, type Hostile, hostileFiles, RLO } from './hostile'
import { IS_LONG } from './long-form'

/** Regenerated with CASEBOOK_WRITE_TABLE=1. */
const TABLE = join(import.meta.dirname, '../../docs/hostile-files.md')
const FILES = hostileFiles()
/** Of how many files one has its parse report and raw text opened: all in the long form. */
const OPENED_OF = IS_LONG ? 1 : 4

type Evidence = { id: string; captured_path: string; filename: string; parent_id: string | null; state: string; sections: { format: string }[] }
type Effects = { calls: string[]; dialogs: string[]; reports: string[]; far: string[]; pages: string[] }

test.describe.configure({ mode: 'serial' })

const NO_EFFECTS: Effects = { calls: [], dialogs: [], reports: [], far: [], pages: [] }
/** Every view of a profile, and every other part of a case; the short form has one view of each way to draw names. */
const VIEWS = IS_LONG
  ? (['flame', 'icicle', 'time', 'table', 'sandwich&of=do_syscall_64', 'lanes', 'lanes&by=thread', 'diff', 'numbers', 'speedscope'] as const)
  : (['flame', 'table', 'lanes&by=thread', 'speedscope'] as const)
const TABS = ['timeline', 'hosts', 'phases'] as const
/** A library of speedscope probes eval at start, and the policy blocks it. */
const SPEEDSCOPE_EVAL_REPORT = 'script-src eval in origin/speedscope/index.html'
const DOWNLOADS = ['.speedscope.json', '.firefox.json', '/folded', '.svg'] as const

let evidence: Evidence[] = []
let hostileCase = ''

/** Records every effect that hostile content could have in any page or frame. */
async function watch(context: BrowserContext): Promise<Effects> {
  const effects: Effects = { calls: [], dialogs: [], reports: [], far: [], pages: [] }
  const own = new URL(process.env.CASEBOOK_E2E_URL ?? '').origin
  await context.exposeFunction('hostile', (id: string) => effects.calls.push(id))
  await context.exposeFunction('reportViolation', (report: string) => {
    if (report !== SPEEDSCOPE_EVAL_REPORT.replace('origin', own)) effects.reports.push(report)
  })
  await context.addInitScript(() => {
    const report = (globalThis as unknown as { reportViolation: (report: string) => void }).reportViolation
    document.addEventListener('securitypolicyviolation', (event) => report(`${event.effectiveDirective} ${event.blockedURI} in ${event.documentURI}`))
  })
  context.on('dialog', (dialog) => {
    effects.dialogs.push(dialog.message())
    void dialog.dismiss()
  })
  context.on('page', (page) => effects.pages.push(page.url()))
  context.on('request', (request) => {
    const { protocol, origin } = new URL(request.url())
    if (!['blob:', 'data:', 'file:'].includes(protocol) && origin !== own) effects.far.push(request.url())
  })
  return effects
}

/** No hostile content became an element, in the page or a frame. */
async function expectOnlyText(page: Page): Promise<void> {
  for (const frame of page.frames()) expect(await frame.locator('[data-hostile]').count(), frame.url()).toBe(0)
}

/** Waits until the page is rendered; `networkidle` never happens, because the event stream stays open. */
async function isLoaded(page: Page): Promise<void> {
  await expect(page.getByRole('main')).toBeVisible()
  await expect(page.getByRole('status', { name: /^Loading/ })).toHaveCount(0)
}

const nameOf = (item: Evidence) => item.captured_path || item.filename
const shown = (text: string) => text.replaceAll(/[^\x20-\x7e]/g, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`).replaceAll('|', '\\|')
const isOf = (file: Hostile) => (item: Evidence) => item.parent_id === null && nameOf(item) === file.path.normalize('NFC')

function outcome(item: Evidence | undefined): string {
  if (!item) return 'not stored'
  if (item.state !== 'read') return item.state
  const members = evidence.filter((member) => member.parent_id === item.id).length
  return `read as ${item.sections.map((section) => `\`${section.format}\``).join(', ') || 'an archive'}${members ? ` with ${members} members` : ''}`
}

function table(): string {
  const rows = FILES.map((file, at) => `| ${at + 1} | \`\` ${shown(file.path)} \`\` | ${file.tries} | ${outcome(evidence.find(isOf(file)))} |`)
  return [
    '# Hostile files',
    '',
    `${FILES.length} files that try to run something or to leave their place, dropped on a case in Chromium; then the parse report and the raw`,
    'text of one in four were opened (`make sweeps`: of each), and the lists that name them',
    '(`tests/e2e/hostile-files.spec.ts` makes this table).',
    'Dialogs, calls of a payload, elements made of one, requests to another host, pages opened, reports of the content security policy:',
    'none, for each of them.',
    '',
    '| | file | tries | became |',
    '| --- | --- | --- | --- |',
    ...rows,
    '',
  ].join('\n')
}

test('without the security headers the same content runs, and is detected', async ({ context }) => {
  const effects = await watch(context)
  await context.route('http://unguarded.invalid/**', (route) => {
    const file = FILES.find(({ path }) => path === decodeURIComponent(new URL(route.request().url()).pathname).slice(1))
    return file ? route.fulfill({ body: file.content, contentType: 'text/html' }) : route.abort()
  })
  const page = await context.newPage()
  for (const path of ['active/page.html', 'active/frame.html', 'read/frames.folded', 'read/symbol.perf.script', 'text/end.json', 'active/base.html'])
    await page.goto(`http://unguarded.invalid/${path}`)
  await expect.poll(() => new Set(effects.calls)).toEqual(new Set(['html', 'srcdoc', 'frame', 'frame-script', 'symbol', 'json', 'base']))
  expect(effects.dialogs).toContain('html')
  expect(effects.far).toContain('http://canary.invalid/x')
})

test('every hostile file is read or rejected, and none runs', async ({ page, context }) => {
  const effects = await watch(context)
  expect(FILES.length).toBeGreaterThanOrEqual(60)
  await page.goto('/')
  await drop(page, FILES)
  await judged(page)
  hostileCase = new URL(page.url()).pathname
  const api = (page.url().split('?')[0] ?? '').replace('/cases/', '/api/v1/cases/')
  evidence = ((await (await page.request.get(`${api}/evidence`)).json()) as { items: Evidence[] }).items
  expect(FILES.filter((file) => !evidence.some(isOf(file))).map(({ path }) => path)).toEqual([])
  expect(evidence.filter(({ state }) => !['read', 'rejected'].includes(state))).toEqual([])
  expect((await page.request.patch(api, { data: { title: `${HOSTILE_TITLE} ${RLO}` } })).status()).toBe(422)
  expect((await page.request.patch(api, { data: { title: HOSTILE_TITLE } })).ok()).toBe(true)
  await page.reload()
  await expect(page.getByTestId('case-page')).toContainText('data-hostile=title')

  const panel = page.getByRole('button', { name: /^[▸▾]? ?Evidence/ })
  if ((await panel.getAttribute('aria-expanded')) === 'false') await panel.click()
  for (const [number, report] of (await page.getByRole('button', { name: /^Parse report of/ }).all()).entries()) if (number % OPENED_OF === 0) await report.click()
  await expectOnlyText(page)
  for (const [number, row] of (await page.getByTestId('evidence-row').all()).entries()) {
    if (number % OPENED_OF !== 0) continue
    const name = row.locator('button[title^="Show the raw text"]')
    const label = (await name.textContent()) ?? ''
    await name.click()
    await expect(page.getByTestId('raw-evidence').locator('code').first()).toHaveText(label)
    await expectOnlyText(page)
  }
  for (const path of ['/', '/library', `/?q=${encodeURIComponent(HOSTILE_TITLE)}`]) {
    await page.goto(path)
    await isLoaded(page)
    await expectOnlyText(page)
  }
  expect(effects).toEqual(NO_EFFECTS)
})

/** Downloads every file of a case: none is served as a page, and no image runs script. */
async function expectHarmlessDownloads(page: Page, api: string): Promise<number> {
  const profiles = ((await (await page.request.get(`${api}/profiles`)).json()) as { items: { id: string }[] }).items
  const stored = ((await (await page.request.get(`${api}/evidence`)).json()) as { items: Evidence[] }).items
  const addresses = [...stored.map(({ id }) => `/api/v1/evidence/${id}/content`), ...profiles.flatMap(({ id }) => DOWNLOADS.map((kind) => `/api/v1/profiles/${id}${kind}`))]
  for (const address of addresses) {
    const response = await page.request.get(address)
    expect(response.status(), address).toBe(200)
    const { 'content-type': type = '', 'content-disposition': disposition = '', 'x-content-type-options': sniffed, 'content-security-policy': policy = '' } = response.headers()
    expect(sniffed, address).toBe('nosniff')
    expect(type, address).not.toMatch(/html|script|\/xml/)
    expect(disposition.startsWith('attachment') || /sandbox|default-src 'none'/.test(policy), `${address}: ${disposition} ${policy}`).toBe(true)
  }
  for (const { id } of profiles) {
    await page.goto(`/api/v1/profiles/${id}.svg`)
    await expect(page.locator('svg').first()).toBeAttached()
    await expectOnlyText(page)
  }
  return addresses.length
}

test('names in hostile files stay text in every profile view and download', async ({ page, context }) => {
  const effects = await watch(context)
  const profiles = ((await (await page.request.get(`${hostileCase.replace('/cases/', '/api/v1/cases/')}/profiles`)).json()) as { items: { id: string }[] }).items
  expect(profiles.length).toBeGreaterThan(5)
  for (const { id } of profiles.filter((_, number) => number % OPENED_OF === 0)) {
    await page.goto(`${hostileCase}?profile=${id}&view=table`)
    await expect(page.getByTestId('top-table')).toBeVisible()
    await isLoaded(page)
    await expectOnlyText(page)
  }
  expect(await expectHarmlessDownloads(page, hostileCase.replace('/cases/', '/api/v1/cases/'))).toBeGreaterThan(FILES.length)
  expect(effects).toEqual(NO_EFFECTS)
})

/** Creates a handoff and returns the path of its saved offline page. */
async function offlinePage(page: Page, api: string): Promise<string> {
  const created = await page.request.post(`${api}/handoffs`, { data: { recipient: HOSTILE_TITLE, question: HOSTILE_TITLE } })
  const address = `${api}/handoffs/${((await created.json()) as { id: string }).id}`
  const state = async () => ((await (await page.request.get(address)).json()) as { state: string }).state
  await expect.poll(state, { timeout: 300_000 }).toBe('ready')
  const path = join(mkdtempSync(join(tmpdir(), 'hostile-')), 'case.html')
  writeFileSync(path, await (await page.request.get(`${address}/case.html`)).body())
  return path
}

test('a process name with markup stays text in findings, citations and comparisons', async ({ page, context }) => {
  const effects = await watch(context)
  const renamed = sample('reclaim-at-the-limit').map(({ path, content }) =>
    path.endsWith('perf.script.txt.gz') ? { path: 'perf.script', content: Buffer.from(gunzipSync(content).toString().replaceAll(/^arrow-read-\d+/gm, HOSTILE_COMM)) } : { path, content },
  )
  await page.goto('/')
  await drop(page, renamed)
  await judged(page)
  const address = new URL(page.url()).pathname
  await expect(page.getByTestId('finding-card').first()).toBeVisible()
  for (const clause of await page.locator('[data-testid=clause-row] button').all()) {
    await clause.click()
    await expectOnlyText(page)
  }
  for (const tab of TABS) {
    await page.goto(`${address}?tab=${tab}`)
    await isLoaded(page)
    await expectOnlyText(page)
  }
  for (const view of VIEWS) {
    await page.goto(`${address}?view=${view}`)
    await isLoaded(page)
    await expectOnlyText(page)
  }
  await page.goto(`${address}?view=lanes&by=thread`)
  await expect(page.getByTestId('lanes')).toHaveAttribute('data-lanes', /data-hostile=process/)
  await expectHarmlessDownloads(page, address.replace('/cases/', '/api/v1/cases/'))
  await page.goto(pathToFileURL(await offlinePage(page, address.replace('/cases/', '/api/v1/cases/'))).href)
  await expect(page.locator('svg').first()).toBeVisible()
  expect(await page.content()).toContain('data-hostile=process')
  await expectOnlyText(page)
  expect(effects).toEqual(NO_EFFECTS)
})

test('a file name with control characters is rejected with a sentence', async ({ page, context }) => {
  const effects = await watch(context)
  await page.goto('/')
  await drop(page, [{ path: 'perf\u0007\u001b[2J.script', content: Buffer.from('main 1\n') }])
  await expect(page.getByText('a file name must not contain control characters')).toBeVisible()
  expect(effects).toEqual(NO_EFFECTS)
})

test('the committed table of outcomes is current', () => {
  if (process.env.CASEBOOK_WRITE_TABLE) writeFileSync(TABLE, table())
  expect(table()).toBe(readFileSync(TABLE, 'utf8'))
})
