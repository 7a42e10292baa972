import { type Browser, type BrowserContext, expect, type Page, test } from '@playwright/test'
import { violationsInBothColours } from './axe'
import { SESSION } from './results'

async function newCase(page: Page, title: string): Promise<number> {
  const created = await page.request.post('/api/v1/cases', { data: { title } })
  return ((await created.json()) as { number: number }).number
}

/** A second browser of the same account. */
function secondBrowser(browser: Browser): Promise<BrowserContext> {
  return browser.newContext({ storageState: SESSION })
}

test('two browsers work an incident, and nothing that either wrote is lost', async ({ page, browser }) => {
  const number = await newCase(page, 'db7 stalls')
  const note = await page.request.post(`/api/v1/cases/${number}/notes`, { data: { text: 'Load climbs\n\nps hangs' } })
  expect(note.status()).toBe(201)
  const other = await secondBrowser(browser)
  const second = await other.newPage()
  for (const one of [page, second]) await one.goto(`/cases/${number}?tab=timeline`)

  // Fields: each browser sets its own at the same time.
  await Promise.all([page.getByLabel('Severity').selectOption('high'), second.getByLabel('Status').selectOption('mitigated')])
  for (const one of [page, second]) {
    await expect(one.getByLabel('Severity')).toHaveValue('high')
    await expect(one.getByLabel('Status')).toHaveValue('mitigated')
  }

  // Events: recorded in one, shown in the other, and a stale change is refused.
  await page.getByRole('group', { name: 'Record an event' }).getByRole('button', { name: 'Started' }).click()
  const dialog = page.getByTestId('event-dialog')
  await dialog.getByLabel('Time (UTC)').fill('2026-11-21T03:07:00')
  await dialog.getByLabel('What happened').fill('Queries time out')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toHaveCount(0)
  const started = second.getByTestId('incident-times').getByRole('button', { name: /^Started: 2026-11-21 03:07/ })
  await started.click()
  const late = second.getByTestId('event-dialog')
  await late.getByLabel('What happened').fill('First alert')
  await page.getByTestId('incident-times').getByRole('button', { name: /^Started/ }).click()
  await dialog.getByLabel('What happened').fill('Queries of db7 time out')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toHaveCount(0)
  await late.getByRole('button', { name: 'Save' }).click()
  await expect(late.getByText(/changed this event meanwhile/)).toBeVisible()
  await expect(late.getByLabel('What happened')).toHaveValue('First alert')
  await late.getByRole('button', { name: 'Cancel' }).click()
  await expect(second.getByText('Queries of db7 time out')).toBeVisible()

  // A note: other paragraphs merge; of one paragraph both texts stay.
  for (const one of [page, second]) await one.getByRole('article').getByRole('button', { name: 'Edit' }).click()
  await page.getByLabel('Edit note').fill('Load climbs to 96\n\nps hangs')
  await second.getByLabel('Edit note').fill('Load climbs\n\nps hangs\n\nRestarted mysqld')
  await page.getByRole('button', { name: 'Save note' }).click()
  await expect(page.getByLabel('Edit note')).toHaveCount(0)
  await second.getByRole('button', { name: 'Save note' }).click()
  for (const one of [page, second]) {
    for (const text of ['Load climbs to 96', 'ps hangs', 'Restarted mysqld']) await expect(one.getByRole('article').getByText(text, { exact: true })).toBeVisible()
  }
  for (const one of [page, second]) await one.getByRole('article').getByRole('button', { name: 'Edit' }).click()
  await page.getByLabel('Edit note').fill('Load fell')
  await second.getByLabel('Edit note').fill('Load rose')
  await page.getByRole('button', { name: 'Save note' }).click()
  await expect(page.getByLabel('Edit note')).toHaveCount(0)
  await second.getByRole('button', { name: 'Save note' }).click()
  await expect(second.getByText(/changed the same paragraph/)).toBeVisible()
  await expect(second.getByLabel('Edit note')).toHaveValue('Load rose')
  await second.getByRole('button', { name: 'Save note' }).click()
  await second.getByRole('button', { name: 'Versions' }).click()
  const versions = second.getByTestId('note-versions')
  for (const text of ['Load fell', 'Load rose']) await expect(versions.getByText(text, { exact: true })).toBeVisible()
  expect(await violationsInBothColours(second, '[data-testid=note-versions]')).toEqual([])
  await other.close()
})

test('cases of the list are changed together, and the undo takes it back', async ({ page }) => {
  const numbers = [await newCase(page, 'web-01 packet loss'), await newCase(page, 'web-02 packet loss')]
  await page.request.patch(`/api/v1/cases/${numbers[1]}`, { data: { severity: 'low' } })
  await page.goto('/?q=packet loss')
  for (const number of numbers) await page.getByLabel(`Select case ${number}`, { exact: true }).check()
  const bar = page.getByTestId('bulk-bar')
  await expect(bar.getByText('2 selected')).toBeVisible()
  expect(await violationsInBothColours(page, '[data-testid=bulk-bar]')).toEqual([])
  await bar.getByRole('button', { name: 'Severity' }).click()
  await page.getByRole('menuitem', { name: 'critical' }).click()
  const severities = async () => Promise.all(numbers.map(async (number) => ((await (await page.request.get(`/api/v1/cases/${number}`)).json()) as { severity: string | null }).severity))
  await expect.poll(severities).toEqual(['critical', 'critical'])
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(severities).toEqual([null, 'low'])
})
