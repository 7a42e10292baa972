import { expect, type Page, test } from '@playwright/test'
import { violations, violationsInBothColours } from './axe'
import { chooseAction } from './case-menu'
import { failJobs, stopWorkers } from './workers'

const PAGES = ['profile', 'sessions', 'tokens', 'members', 'teams', 'audit', 'jobs', 'changes', 'system'] as const
const NARROW = { width: 390, height: 844 }

/** Horizontal overflow of the page in pixels; tables scroll in their own box. */
const overflow = (page: Page) =>
  page.evaluate(() => Math.max(...[...document.querySelectorAll('html, main')].map((part) => part.scrollWidth - part.clientWidth)))

test('settings pages fit wide and narrow windows and have no axe violations', async ({ page }) => {
  for (const name of PAGES) {
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.goto(`/settings/${name}`)
    await expect(page.getByTestId(`settings-${name}`).getByRole('heading', { level: 1 })).toBeVisible()
    await expect(page.getByRole('status', { name: /Loading/ })).toHaveCount(0)
    expect(await violationsInBothColours(page), name).toEqual([])
    await page.setViewportSize(NARROW)
    await expect.poll(() => overflow(page), { message: `${name}, narrow` }).toBeLessThanOrEqual(0)
    expect(await violations(page), `${name}, narrow`).toEqual([])
  }
})

test('a rotated token and its successor both work until the old one expires', async ({ page }) => {
  const name = 'ci'
  await page.goto('/settings/tokens')
  await page.getByLabel('Name').fill(name)
  await page.getByLabel('read cases').check()
  await page.getByLabel('Days until it expires').fill('30')
  await page.getByRole('button', { name: /^Create token/ }).click()
  const first = (await page.getByRole('group', { name: `Token ${name}`, exact: true }).innerText()).trim()
  await page.getByRole('button', { name: `Rotate ${name}` }).click()
  const second = (await page.getByRole('group', { name: `New token ${name}` }).innerText()).trim()
  expect(second).not.toBe(first)
  for (const secret of [first, second]) expect((await page.request.get('/api/v1/me', { headers: { Authorization: `Bearer ${secret}` } })).status()).toBe(200)
  await expect(page.getByRole('button', { name: `Rotate ${name}` })).toHaveCount(2)
})

test('the owner of a case sets its access', async ({ page, browser }) => {
  const created = await page.request.post('/api/v1/cases', { data: { title: 'who sees this' } })
  const { number } = (await created.json()) as { number: number }
  await page.goto(`/cases/${number}`)
  await chooseAction(page, 'Access')
  const panel = page.getByRole('dialog', { name: 'Access to this case' })
  await panel.getByRole('button', { name: 'Link', exact: true }).click()
  await expect(panel.getByText('any signed-in member with the link')).toBeVisible()
  await panel.getByRole('button', { name: /^Create link/ }).click()
  const address = (await panel.getByRole('group', { name: 'Link to this case' }).innerText()).trim()
  expect(await violations(page)).toEqual([])

  const stranger = await browser.newContext({ storageState: { cookies: [], origins: [] } })
  const outside = await stranger.newPage()
  await outside.goto(address)
  await expect(outside).toHaveURL(/\/sign-in/)
  await stranger.close()

  await panel.getByRole('button', { name: /^Revoke the link/ }).click()
  await expect(panel.getByRole('group', { name: 'Link to this case' })).toHaveCount(0)
  await panel.getByRole('button', { name: 'Restricted' }).click()
  await expect(panel.getByRole('button', { name: 'Restricted', pressed: true })).toBeVisible()
  const access = (await (await page.request.get(`/api/v1/cases/${number}/access`)).json()) as { visibility: string; links: unknown[] }
  expect(access).toMatchObject({ visibility: 'restricted', links: [] })
})

test('reading is cancelled and repeated, and a job that failed runs again', async ({ page }) => {
  const row = page.getByTestId('evidence-row')
  const continueWorkers = stopWorkers()
  let number = 0
  try {
    const sent = await page.request.post('/api/v1/paste', { data: { text: `main;read_file;copy_to_user ${Date.now()}\n` } })
    number = ((await sent.json()) as { case: { number: number } }).case.number
    await page.goto(`/cases/${number}`)
    await expect(page.getByTestId('case-progress')).toHaveText('reading 1 of 1')
    await page.getByRole('button', { name: 'Cancel reading' }).click()
    await expect(row).toHaveAttribute('data-state', 'cancelled')
    await expect(page.getByTestId('evidence-reason')).toContainText('cancelled by')
    await expect(page.getByTestId('case-progress')).toHaveText('')
    await row.getByRole('button', { name: 'Read again' }).click()
    await expect(page.getByTestId('case-progress')).toHaveText('reading 1 of 1')

    failJobs()
    await page.goto('/settings/jobs')
    const failed = page.getByRole('region', { name: 'Failed jobs' }).getByRole('row', { name: `Case ${number}` })
    await expect(failed).toContainText('MemoryError')
    expect(await violationsInBothColours(page)).toEqual([])
    await failed.getByRole('button', { name: /^Run again: Reading/ }).press('Enter')
    await expect(failed).toHaveCount(0)
  } finally {
    continueWorkers()
  }
  const stateOf = async () => ((await (await page.request.get(`/api/v1/cases/${number}/evidence`)).json()) as { items: { state: string }[] }).items[0]?.state
  await expect.poll(stateOf).toBe('read')
})
