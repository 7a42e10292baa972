// The main journeys in Debian's Firefox over WebDriver BiDi: `make firefox`.
//
// CASEBOOK_E2E_URL and CASEBOOK_E2E_TOKEN name the instance; its second sample case is a recording with a match.

import { readdirSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

const { default: puppeteer } = await import(createRequire(join(import.meta.dirname, '../../var/firefox/package.json')).resolve('puppeteer-core'))
const url = process.env.CASEBOOK_E2E_URL
const token = process.env.CASEBOOK_E2E_TOKEN
if (!url || !token) throw new Error('CASEBOOK_E2E_URL and CASEBOOK_E2E_TOKEN must name an instance')
const CASE = `${url}/cases/2`
const SAMPLES = join(import.meta.dirname, '../../backend/evidence/sample_cases/reclaim-at-the-limit')
const SAMPLE = readdirSync(SAMPLES, { recursive: true, encoding: 'utf8' }).filter((name) => statSync(join(SAMPLES, name)).isFile() && name !== 'PROVENANCE.md')
const errors = []

const browser = await puppeteer.launch({ browser: 'firefox', executablePath: process.env.CASEBOOK_FIREFOX ?? '/usr/bin/firefox-esr', headless: true, timeout: 120_000 })
const page = await browser.newPage()
await page.setViewport({ width: 1440, height: 900 })
page.setDefaultTimeout(120_000)
// A navigation ends the download of a font, which Firefox reports as an error.
page.on('pageerror', ({ message }) => message.startsWith('downloadable font') || errors.push(`${page.url()}: ${message}`))

/** Open an address and wait for an element; the error page fails the run. */
async function shows(address, selector) {
  await page.goto(address)
  await page.waitForSelector(`${selector}, [data-testid=page-error]`)
  if (await page.$('[data-testid=page-error]')) errors.push(`${address}: the page failed`)
  process.stdout.write(`${address.replace(url, '').replace(/token=.*/, 'token')}: ${selector}\n`)
}

/** Wait until a condition on the page holds. */
async function reports(what, condition) {
  await page.waitForFunction(condition)
  process.stdout.write(`${what}\n`)
}

await shows(`${url}/sign-in?token=${encodeURIComponent(token)}`, '[data-testid=drop-zone]')
await shows(CASE, '[data-testid=flame-graph][data-outlined-nodes]:not([data-outlined-nodes=""])')
await page.waitForSelector('[data-line][data-cited=true]')
await shows(`${CASE}?view=table`, '[data-testid=top-table]')
await shows(`${CASE}?view=lanes`, '[data-testid=lanes]')
await shows(`${CASE}?view=sandwich&of=shrink_lruvec`, '[data-testid=callees]')
await page.keyboard.down('Control')
await page.keyboard.press('k')
await page.keyboard.up('Control')
await page.waitForSelector('[data-testid=palette] input')
await page.keyboard.type('audit log')
await page.waitForFunction(() => document.querySelector('[role=option][aria-selected=true]')?.textContent?.includes('Audit log'))
await page.keyboard.press('Enter')
await page.waitForFunction(() => location.pathname === '/settings/audit')

// Evidence becomes a finding, with its proof, its frames and a handoff.
await page.goto(url)
const input = await page.waitForSelector('[data-testid=file-input]')
await input.uploadFile(...SAMPLE.map((name) => join(SAMPLES, name)))
await page.waitForFunction(() => /^\/cases\/\d+$/.test(location.pathname))
await page.waitForSelector('[data-testid=case-page][data-judged=true]')
const address = new URL(page.url()).pathname
await reports('the headline names the limit', () => /limit/.test(document.querySelector('h1')?.textContent ?? ''))
await page.locator('[data-testid=clause-row] button').click()
await reports('a condition outlines its frames and marks its line', () => document.querySelector('[data-testid=flame-graph]')?.getAttribute('data-outlined-nodes') && document.querySelector('[data-line][data-cited=true]'))
await page.focus('[data-testid=flame-graph]')
for (const key of ['ArrowUp', 'ArrowUp', 'Enter']) await page.keyboard.press(key)
await reports('a frame is zoomed by keyboard', () => document.querySelector('[data-testid=flame-graph]')?.getAttribute('data-zoom-node'))
await page.keyboard.press('0')
await page.keyboard.press('/')
await page.keyboard.type('shrink_lruvec')
await reports('the graph is searched', () => document.querySelector('[data-testid=search-result]')?.textContent?.includes('of the weight'))
await page.goto(`${url}${address}?tab=handoff`)
await page.locator('input[placeholder="Kernel support"]').fill('Kernel support')
await page.locator('form textarea').fill('Is the limit too low?')
await page.locator('button::-p-text(Redact and review)').click()
await page.waitForSelector('[data-testid=handoff][data-state=ready]')
for (const tick of await page.$$('label::-p-text(I reviewed this class)')) await tick.click()
await page.locator('button::-p-text(Create link)').click()
await reports('a link is created', () => document.querySelector('[data-testid=handoff] [role=group][aria-label=link]')?.textContent?.includes('/s'))
await page.goto(`${url}/library?q=ps%20hangs`)
await reports('the library finds a symptom', () => document.querySelector('[data-testid=library-result]') !== null)
for (const path of ['/library', '/signatures/mm/memcg-limit-reclaim', '/baselines', '/compare']) await shows(url + path, 'main h1')
await browser.close()
if (errors.length > 0) throw new Error(errors.join('\n'))
