import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { AxeBuilder } from '@axe-core/playwright'
import { type Browser, expect, type Page, test } from '@playwright/test'
import { drop, judged, sample, text } from './evidence'

const SECRETS = ['analytics-db-02', 'jdoe', '10.20.30.40', 'hunter2hunter2']
const LOG = [
  'Nov 21 03:12:09 analytics-db-02 sshd[812]: Accepted publickey for jdoe from 10.20.30.40 port 5022 ssh2',
  'Nov 21 03:12:11 analytics-db-02 sudo:     jdoe : TTY=pts/0 ; PWD=/home/jdoe ; USER=root ; COMMAND=/bin/ls',
  'DB_PASSWORD=hunter2hunter2',
  '',
].join('\n')

async function isAccessible(page: Page): Promise<void> {
  const found = await new AxeBuilder({ page }).analyze()
  expect(found.violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([])
}

/** A browser of somebody who has no account here. */
async function stranger(browser: Browser): Promise<Page> {
  const context = await browser.newContext({ storageState: { cookies: [], origins: [] }, acceptDownloads: true })
  return context.newPage()
}

test('a support team takes a case over by a link, reads it without a name in it, and answers', async ({ page, browser }) => {
  await page.goto('/')
  await drop(page, [...sample('reclaim-at-the-limit'), text('auth.log', LOG)])
  await judged(page)

  // The sender chooses, sees what redaction did, and makes a link.
  await page.getByRole('button', { name: 'Hand over', exact: true }).click()
  await page.getByLabel('To whom').fill('Kernel support')
  await page.getByLabel('What you want of them').fill('Why does analytics-db-02 stall?')
  await page.getByRole('button', { name: 'Redact and show me' }).click()
  const handoff = page.getByTestId('handoff')
  await expect(handoff).toHaveAttribute('data-state', 'ready', { timeout: 120_000 })
  await expect(handoff.getByTestId('verdicts')).toContainText('are what they were')
  await handoff.getByRole('row', { name: /auth\.log/ }).getByRole('button').click()
  await expect(handoff.getByTestId('changes').locator('del').first()).toHaveText('analytics-db-02')
  await isAccessible(page)
  await handoff.getByRole('button', { name: 'Make a link' }).click()
  const link = (await handoff.getByRole('group', { name: 'link' }).innerText()).trim()

  // Who has it opens it, sees pseudonyms only, takes it over and answers.
  const team = await stranger(browser)
  await team.goto(link)
  await team.getByRole('button', { name: 'Open the case' }).click()
  const shared = team.getByTestId('shared')
  await expect(shared).toContainText('What the evidence shows')
  await expect(team.getByRole('img', { name: /^Flame graph of/ }).first()).toBeVisible()
  await shared.getByRole('button', { name: 'auth.log' }).click()
  await expect(team.getByRole('region', { name: 'Lines of auth.log' })).toContainText('Accepted publickey for')
  const seen = await team.locator('body').innerText()
  expect(SECRETS.filter((secret) => seen.includes(secret))).toEqual([])
  await isAccessible(team)
  await team.getByLabel('Your name').fill('Ada')
  await team.getByRole('button', { name: 'Accept the case' }).click()
  await expect(shared).toHaveAttribute('data-state', 'accepted')
  await expect(handoff).toHaveAttribute('data-state', 'accepted')
  await team.getByLabel(/^Write to/).fill('Raise the limit of the cgroup; 6.1 is not affected.')
  await team.getByRole('button', { name: 'Send as the answer' }).click()
  await expect(shared).toHaveAttribute('data-state', 'answered')
  await expect(handoff).toContainText('Raise the limit of the cgroup')

  // The bundle is whole, and its page needs no network.
  const folder = mkdtempSync(join(tmpdir(), 'handoff-'))
  const files = [
    { button: /^Download bundle/, path: join(folder, 'handoff.casebook.tar.zst') },
    { button: 'Page that needs no network', path: join(folder, 'case.html') },
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
  const asked: string[] = []
  file.on('request', (request) => asked.push(request.url()))
  const complaints: string[] = []
  file.on('console', (message) => complaints.push(message.text()))
  await file.goto(pathToFileURL(html).href)
  await expect(file.locator('svg').first()).toBeVisible()
  await file.locator('td a').first().click()
  await expect(file.locator(':target')).toBeVisible()
  expect(asked.filter((url) => !url.startsWith('file:'))).toEqual([])
  expect(complaints).toEqual([])
  expect(SECRETS.filter((secret) => readFileSync(html, 'utf8').includes(secret))).toEqual([])

  // Dropped on a Casebook, the bundle is a case that says where it came from and is judged as it was.
  const there = await page.context().newPage()
  await there.goto('/')
  await drop(there, [{ path: 'handoff.casebook.tar.zst', content: readFileSync(bundle) }])
  await judged(there)
  await expect(there.getByTestId('origin')).toContainText(/Handed over by another Casebook .* Its verdict is the same here\./)
  await isAccessible(there)
  await there.close()

  // The sender closes it and ends the link: it is gone for who has opened it.
  await handoff.getByRole('button', { name: 'Close handoff' }).click()
  await expect(handoff).toHaveAttribute('data-state', 'closed')
  await handoff.getByRole('button', { name: 'End link' }).click()
  await expect(handoff.getByRole('button', { name: 'End link' })).toHaveCount(0)
  await expect(team.getByRole('alert').filter({ hasText: 'no longer kept up to date' })).toContainText('This link has ended', { timeout: 60_000 })
  await team.reload()
  await expect(team.getByText('this link has ended')).toBeVisible()
  await isAccessible(team)
})
