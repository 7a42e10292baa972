// Every state of the gallery in light, dark and on a phone: var/screenshots/states.

import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createServer } from 'vite'
import { FORMS, violationsOf } from './forms.mjs'

const ROOT = join(import.meta.dirname, '../..')
/** Names of the states, from the page that lists them. */
async function namesOf(page, url) {
  await page.goto(url)
  await page.getByRole('link', { name: 'page-loading' }).waitFor()
  return page.locator('main li a').allTextContents()
}

/** Photograph all states; errors of the pages, since a state that throws shows nothing of itself, and axe violations are returned. */
export async function takeStates(browser, only) {
  const server = await createServer({ configFile: join(ROOT, 'frontend/gallery/vite.config.ts'), logLevel: 'error', server: { port: 0 } })
  await server.listen()
  const url = `http://127.0.0.1:${server.httpServer.address().port}`
  const folder = join(ROOT, 'var/screenshots/states')
  mkdirSync(folder, { recursive: true })
  const errors = []
  for (const [form, options] of Object.entries(FORMS)) {
    const context = await browser.newContext(options)
    const page = await context.newPage()
    // The first page of the server waits for its bundle of dependencies.
    page.setDefaultTimeout(120_000)
    let name = ''
    page.on('pageerror', (error) => errors.push(`${name} ${form}: ${error.message}`))
    for (name of (await namesOf(page, url)).filter((each) => !only || each.includes(only))) {
      await page.goto(`${url}/?state=${name}`)
      await page.locator('main').first().waitFor()
      await page.waitForLoadState('networkidle')
      await page.waitForTimeout(1_500)
      if (!name.startsWith('page-') && (await page.getByTestId('page-error').count()) > 0) errors.push(`${name} ${form}: ${await page.getByTestId('page-error').innerText()}`)
      errors.push(...(await violationsOf(page, name, form)))
      await page.screenshot({ path: join(folder, `${name}-${form}.png`) })
    }
    await context.close()
  }
  await server.close()
  return errors
}
