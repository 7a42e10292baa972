import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Browser, expect, type Page, test } from '@playwright/test'
import { violations } from './axe'
import { drop, judged, sample, text } from './evidence'

const SECRETS = ['analytics-db-02', 'jdoe', '10.20.30.40', 'hunter2hunter2']
const LOG = [
  'Nov 21 03:12:09 analytics-db-02 sshd[812]: Accepted publickey for jdoe from 10.20.30.40 port 5022 ssh2',
  'Nov 21 03:12:11 analytics-db-02 sudo:     jdoe : TTY=pts/0 ; PWD=/home/jdoe ; USER=root ; COMMAND=/bin/ls',
  'DB_PASSWORD=hunter2hunter2',
  '',
].join('\n')

async function isAccessible(page: Page): Promise<void> {
  expect(await violations(page)).toEqual([])
}

/** A browser context without a session. */
async function stranger(browser: Browser): Promise<Page> {
  const context = await browser.newContext({ storageState: { cookies: [], origins: [] }, acceptDownloads: true })
  return context.newPage()
}

test('a support team opens a redacted case by a link, accepts it and answers', async ({ page, browser }) => {
  await page.goto('/')
  await drop(page, [...sample('reclaim-at-the-limit'), text('auth.log', LOG)])
  await judged(page)

  // The sender selects evidence, reviews the redaction and creates a link.
  await page.getByRole('button', { name: 'Handoff', exact: true }).click()
  await page.getByLabel('Recipient').fill('Kernel support')
  await page.getByLabel('Question').fill('Why does analytics-db-02 stall?')
  await page.getByRole('button', { name: 'Redact and review' }).click()
  const handoff = page.getByTestId('handoff')
  await expect(handoff).toHaveAttribute('data-state', 'ready', { timeout: 300_000 })
  await expect(handoff.getByTestId('verdicts')).toContainText('unchanged after redaction')
  await handoff.getByRole('row', { name: /auth\.log/ }).getByRole('button').click()
  await expect(handoff.getByTestId('changes').locator('del').first()).toHaveText('analytics-db-02')
  await isAccessible(page)
  for (const tick of await handoff.getByLabel('I reviewed this class').all()) await tick.check()
  await handoff.getByRole('button', { name: 'Create link' }).click()
  const link = (await handoff.getByRole('group', { name: 'link' }).innerText()).trim()

  // The recipient opens it, sees pseudonyms only, accepts it and answers.
  const team = await stranger(browser)
  await team.goto(link)
  await team.getByRole('button', { name: 'Open case' }).click()
  const shared = team.getByTestId('shared')
  await expect(shared).toContainText('What to do next')
  await expect(team.getByRole('img', { name: /^Flame graph of/ }).first()).toBeVisible()
  await shared.getByRole('button', { name: 'auth.log' }).click()
  await expect(team.getByRole('region', { name: 'Lines of auth.log' })).toContainText('Accepted publickey for')
  const pageText = await team.locator('body').innerText()
  expect(SECRETS.filter((secret) => pageText.includes(secret))).toEqual([])
  await isAccessible(team)
  await team.getByLabel('Your name').fill('Ada')
  await team.getByRole('button', { name: 'Accept case' }).click()
  await expect(shared).toHaveAttribute('data-state', 'accepted')
  await expect(handoff).toHaveAttribute('data-state', 'accepted')
  await team.getByLabel(/^Message to/).fill('Raise the limit of the cgroup; 6.1 is not affected.')
  await team.getByRole('button', { name: 'Send as answer' }).click()
  await expect(shared).toHaveAttribute('data-state', 'answered')
  await expect(handoff).toContainText('Raise the limit of the cgroup')

  // The bundle is valid, and its page works offline.
  const folder = mkdtempSync(join(tmpdir(), 'handoff-'))
  const files = [
    { button: /^Download bundle/, path: join(folder, 'handoff.casebook.tar.zst') },
    { button: 'Download offline page', path: join(folder, 'case.html') },
  ]
  for (const { button, path } of files) {
    const download = team.waitForEvent('download')
    await team.getByRole('button', { name: button }).click()
    await (await download).saveAs(path)
  }
  const [bundle, html] = [files[0]?.path ?? '', files[1]?.path ?? '']
  expect(execFileSync(join(import.meta.dirname, '../../.venv/bin/casebook'), ['bundle', 'verify', bundle]).toString()).toContain('each as the manifest says')
  const offline = await browser.newContext({ offline: true })
  const file = await offline.newPage()
  const requests: string[] = []
  file.on('request', (request) => requests.push(request.url()))
  const messages: string[] = []
  file.on('console', (message) => messages.push(message.text()))
  await file.goto(pathToFileURL(html).href)
  await expect(file.locator('svg').first()).toBeVisible()
  await file.locator('td a').first().click()
  await expect(file.locator(':target')).toBeVisible()
  expect(requests.filter((url) => !url.startsWith('file:'))).toEqual([])
  expect(messages).toEqual([])
  expect(SECRETS.filter((secret) => readFileSync(html, 'utf8').includes(secret))).toEqual([])

  // Dropped on a Casebook, the bundle becomes a case with its origin and the same verdicts.
  const importPage = await page.context().newPage()
  await importPage.goto('/')
  await drop(importPage, [{ path: 'handoff.casebook.tar.zst', content: readFileSync(bundle) }])
  await judged(importPage)
  await expect(importPage.getByTestId('origin')).toContainText(/Handed over by another Casebook .* All 2 of its verdicts are the same here\./)
  await importPage.close()

  // The sender closes it and revokes the link, also for people who have opened it.
  await handoff.getByRole('button', { name: 'Close handoff' }).click()
  await expect(handoff).toHaveAttribute('data-state', 'closed')
  await handoff.getByRole('button', { name: 'Revoke link' }).click()
  await expect(handoff.getByRole('button', { name: 'Revoke link' })).toHaveCount(0)
  await expect(team.getByRole('alert').filter({ hasText: 'no longer up to date' })).toContainText('This link has ended')
  await team.reload()
  await expect(team.getByText('this link has ended')).toBeVisible()
  await isAccessible(team)
})
