// The main journeys in Debian's Firefox over WebDriver BiDi: `make firefox`.
//
// CASEBOOK_E2E_URL and CASEBOOK_E2E_TOKEN name the instance; its second sample case is a recording with a match.

import { createRequire } from 'node:module'
import { join } from 'node:path'

const { default: puppeteer } = await import(createRequire(join(import.meta.dirname, '../../var/firefox/package.json')).resolve('puppeteer-core'))
const url = process.env.CASEBOOK_E2E_URL
const token = process.env.CASEBOOK_E2E_TOKEN
if (!url || !token) throw new Error('CASEBOOK_E2E_URL and CASEBOOK_E2E_TOKEN must name an instance')
const CASE = `${url}/cases/2`
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
for (const path of ['/library', '/signatures/mm/memcg-limit-reclaim', '/baselines', '/compare']) await shows(url + path, 'main h1')
await browser.close()
if (errors.length > 0) throw new Error(errors.join('\n'))
