// Every page in light, dark and on a phone: var/screenshots/pages.

import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { FORMS } from './states.mjs'

const FOLDER = join(import.meta.dirname, '../../var/screenshots/pages')

const PAGES = (number) => ({
  cases: '/',
  case: `/cases/${number}`,
  'case-timeline': `/cases/${number}?tab=timeline`,
  'case-hosts': `/cases/${number}?tab=hosts`,
  'case-phases': `/cases/${number}?tab=phases`,
  'case-handoff': `/cases/${number}?tab=handoff`,
  library: '/library',
  signature: '/signatures/mm/memcg-limit-reclaim',
  baselines: '/baselines',
  compare: '/compare',
  'settings-profile': '/settings/profile',
  'settings-sessions': '/settings/sessions',
  'settings-tokens': '/settings/tokens',
  'settings-members': '/settings/members',
  'settings-teams': '/settings/teams',
  'settings-audit': '/settings/audit',
  'settings-service': '/settings/service',
  'page-not-found': '/no-such-page',
})

/** Photograph all pages of an instance with a session. */
export async function takePages(browser, baseURL, storageState, number) {
  mkdirSync(FOLDER, { recursive: true })
  for (const [form, options] of Object.entries(FORMS)) {
    const context = await browser.newContext({ ...options, baseURL, storageState })
    const page = await context.newPage()
    page.setDefaultTimeout(120_000)
    for (const [name, path] of Object.entries(PAGES(number))) {
      await page.goto(path)
      await page.locator('main').first().waitFor()
      // A case keeps its event stream open, so the network is never idle.
      await page.waitForTimeout(2_500)
      await page.screenshot({ path: join(FOLDER, `${name}-${form}.png`) })
    }
    await context.close()
  }
  const signedOut = await browser.newPage({ baseURL, viewport: FORMS.light.viewport })
  await signedOut.goto('/sign-in')
  await signedOut.waitForTimeout(2_500)
  await signedOut.screenshot({ path: join(FOLDER, 'sign-in-light.png') })
  await signedOut.close()
}
