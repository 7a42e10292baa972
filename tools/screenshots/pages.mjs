// Every page in light, dark and on a phone: var/screenshots/pages.

import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { makeExamples } from './examples.mjs'
import { FORMS, violationsOf } from './forms.mjs'

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

/** Photograph all pages of an instance, with a session and without; errors of the pages and axe violations are returned. */
export async function takePages(browser, baseURL, session, number) {
  mkdirSync(FOLDER, { recursive: true })
  const maker = await browser.newContext({ baseURL, storageState: session })
  const examples = await makeExamples(maker.request, number)
  await maker.close()
  const visits = [
    [session, { ...PAGES(number), ...examples.account }],
    [undefined, { 'sign-in': '/sign-in', 'handoff-unknown': '/s#unknown', ...examples.guest }],
  ]
  const errors = []
  for (const [form, options] of Object.entries(FORMS)) {
    for (const [storageState, pages] of visits) {
      const context = await browser.newContext({ ...options, baseURL, storageState })
      const page = await context.newPage()
      page.setDefaultTimeout(120_000)
      let name = ''
      page.on('pageerror', (error) => errors.push(`${name} ${form}: ${error.message}`))
      for (const [each, path] of Object.entries(pages)) {
        name = each
        await page.goto(path)
        await page.locator('main').first().waitFor()
        // A case keeps its event stream open, so the network is never idle.
        await page.waitForTimeout(2_500)
        await page.waitForFunction(() => document.querySelector('[role=status][aria-label^="Loading"]') === null)
        if (name === 'handoff-received') {
          await page.getByRole('button', { name: 'Open case' }).click()
          await page.waitForTimeout(2_500)
        }
        await page.screenshot({ path: join(FOLDER, `${name}-${form}.png`) })
        errors.push(...(await violationsOf(page, name, form)))
        // Two addresses that differ in their fragment are one document.
        await page.goto('about:blank')
      }
      await context.close()
    }
  }
  return errors
}
