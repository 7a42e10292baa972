// The pictures of the README and the documents, and of every page and state, from a live instance: `make screenshots`.
//
// CASEBOOK_E2E_URL and CASEBOOK_E2E_TOKEN name the instance; its sample cases are what is shown.

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { chromium } from '@playwright/test'
import { takeGraphs } from './graphs.mjs'
import { takePages } from './pages.mjs'
import { takeStates } from './states.mjs'

const IMAGES = join(import.meta.dirname, '../../docs/images')
const RECLAIM = 2
const url = process.env.CASEBOOK_E2E_URL
const token = process.env.CASEBOOK_E2E_TOKEN
if (!url || !token) throw new Error('CASEBOOK_E2E_URL and CASEBOOK_E2E_TOKEN must name an instance')

const browser = await chromium.launch({
  executablePath: process.env.CASEBOOK_CHROMIUM ?? '/usr/bin/chromium-headless-shell',
  args: ['--no-sandbox', '--disable-gpu', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'],
})
const context = await browser.newContext({ baseURL: url, viewport: { width: 1440, height: 900 } })
const page = await context.newPage()

/** Wait until the case at hand is judged and drawn. */
async function settled() {
  await page.locator('[data-testid=case-page][data-judged=true]').waitFor({ timeout: 120_000 })
  await page.getByTestId('flame-graph').waitFor()
  await page.waitForTimeout(1500)
}

const encoder = await browser.newPage()

/** A PNG as WebP, a fifth of its size. */
async function asWebp(png) {
  const base64 = await encoder.evaluate(async (source) => {
    const picture = await createImageBitmap(await (await fetch(`data:image/png;base64,${source}`)).blob())
    const canvas = document.createElement('canvas')
    ;[canvas.width, canvas.height] = [picture.width, picture.height]
    canvas.getContext('2d').drawImage(picture, 0, 0)
    return canvas.toDataURL('image/webp', 0.8).split(',')[1]
  }, png.toString('base64'))
  return Buffer.from(base64, 'base64')
}

async function take(name, colorScheme) {
  await page.emulateMedia({ colorScheme })
  // A click below the fold scrolls; a picture begins at the top.
  await page.evaluate(() => document.querySelectorAll('html, main, [data-testid=case-page]').forEach((box) => box.scrollTo(0, 0)))
  await page.waitForFunction(() => document.querySelector('[role=status][aria-label^="Loading"], [data-testid=speedscope][data-state=waiting]') === null)
  await page.waitForTimeout(500)
  writeFileSync(join(IMAGES, `${name}.webp`), await asWebp(await page.screenshot()))
}

await page.goto(`/sign-in?token=${encodeURIComponent(token)}`)
await page.getByTestId('drop-zone').waitFor()
await page.goto(`/cases/${RECLAIM}`)
await settled()
await page.locator('[data-testid=clause-row][data-clause="memcg_reclaim"]').getByRole('button').first().click()
await page.waitForTimeout(1500)
await take('case-light', 'light')
await take('case-dark', 'dark')
await page.goto('/')
await page.getByTestId('case-table').waitFor()
await take('cases', 'light')
await takeGraphs(page, take, RECLAIM)
const errors = [...(await takePages(browser, url, await context.storageState(), RECLAIM)), ...(await takeStates(browser))]
await browser.close()
if (errors.length > 0) throw new Error(`pages or states failed:\n${errors.join('\n')}`)
