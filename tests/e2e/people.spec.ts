import { type Browser, type BrowserContext, expect, type Page, test } from '@playwright/test'
import { violations, violationsInBothColours } from './axe'
import { moveSignIns } from './sign-in'

const PASSWORD = 'correct horse battery staple'

/** Invite a member and join in a separate browser context. */
async function invited(owner: Page, browser: Browser, name: string, role: string): Promise<BrowserContext> {
  await owner.goto('/settings/members')
  await owner.getByLabel('Role of the new member').selectOption(role)
  await owner.getByRole('button', { name: 'Create invitation' }).click()
  const address = await owner.getByRole('group', { name: 'Invitation link' }).innerText()
  const context = await browser.newContext({ storageState: { cookies: [], origins: [] } })
  const page = await context.newPage()
  await page.goto(address.trim())
  await page.getByLabel('Name').fill(name)
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Join' }).click()
  await expect(page.getByTestId('drop-zone')).toBeVisible()
  return context
}

test('viewers read cases, responders change them, and neither sees restricted ones', async ({ page, browser }) => {
  const created = await page.request.post('/api/v1/cases', { data: { title: 'db7 stalls' } })
  const { number } = (await created.json()) as { number: number }
  const viewer = await invited(page, browser, 'vera', 'viewer')
  const responder = await invited(page, browser, 'rob', 'responder')

  const read = await viewer.newPage()
  await read.goto(`/cases/${number}`)
  await expect(read.getByText('db7 stalls').first()).toBeVisible()
  expect((await viewer.request.patch(`/api/v1/cases/${number}`, { data: { title: 'no' } })).status()).toBe(403)
  expect((await responder.request.patch(`/api/v1/cases/${number}`, { data: { title: 'db7 stalls again' } })).status()).toBe(200)

  expect((await page.request.put(`/api/v1/cases/${number}/access`, { data: { visibility: 'restricted' } })).status()).toBe(200)
  for (const context of [viewer, responder]) {
    expect((await context.request.get(`/api/v1/cases/${number}`)).status()).toBe(404)
    const listPage = await context.newPage()
    await listPage.goto('/')
    await expect(listPage.getByTestId('case-table')).toBeVisible()
    await expect(listPage.getByText('db7 stalls again')).toHaveCount(0)
  }
  await viewer.close()
  await responder.close()
})

test('a member signs in with a password, creates a token, and is disabled immediately', async ({ page, browser }) => {
  const name = 'ada'
  const context = await invited(page, browser, name, 'responder')
  await context.clearCookies()
  const member = await context.newPage()
  await member.goto('/sign-in')
  await member.getByLabel('Name').fill(name)
  await member.getByLabel('Password').fill(PASSWORD)
  await member.getByRole('button', { name: 'Sign in with password' }).click()
  await expect(member.getByTestId('drop-zone')).toBeVisible()

  await member.goto('/settings/tokens')
  await member.getByLabel('Name').fill('laptop')
  await member.getByLabel('read cases').check()
  await member.getByLabel('Days until it expires').fill('30')
  await member.getByRole('button', { name: /^Create token/ }).click()
  const secret = (await member.getByRole('group', { name: 'Token laptop' }).innerText()).trim()
  const options = { headers: { Authorization: `Bearer ${secret}` } }
  expect((await page.request.get('/api/v1/me', options)).status()).toBe(200)

  await page.goto('/settings/members')
  await page.getByRole('button', { name: `Disable ${name}` }).click()
  await expect(page.getByRole('button', { name: `Enable ${name}` })).toBeVisible()
  expect((await page.request.get('/api/v1/me', options)).status()).toBe(401)
  await member.goto('/settings/tokens')
  await expect(member).toHaveURL(/\/sign-in/)
  await context.close()
})

test('a session of an hour ago creates a token once the password is confirmed, and not before', async ({ page, browser }) => {
  const name = 'eve'
  const context = await invited(page, browser, name, 'responder')
  moveSignIns(name, 'an hour ago')
  const member = await context.newPage()
  await member.goto('/settings/tokens')
  await member.getByLabel('Name').fill('laptop')
  await member.getByLabel('read cases').check()
  await member.getByLabel('Days until it expires').fill('30')
  const create = member.getByRole('button', { name: /^Create token/ })
  const dialog = member.getByTestId('confirm-sign-in')

  await create.click()
  await expect(dialog.getByRole('heading', { name: 'Confirm your sign-in' })).toBeVisible()
  expect(await violationsInBothColours(member, '[data-testid=confirm-sign-in]')).toEqual([])
  await member.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await expect(member.getByText(/You signed in more than 15 minutes ago/)).toBeVisible()

  await create.click()
  await expect(dialog.getByLabel('Password')).toBeFocused()
  await dialog.getByLabel('Password').fill('not the password')
  await dialog.getByRole('button', { name: 'Confirm' }).click()
  await expect(dialog.getByText('the password is wrong')).toBeVisible()
  await dialog.getByLabel('Password').fill(PASSWORD)
  await dialog.getByRole('button', { name: 'Confirm' }).click()
  await expect(dialog).toHaveCount(0)
  const secret = (await member.getByRole('group', { name: 'Token laptop' }).innerText()).trim()
  expect((await page.request.get('/api/v1/me', { headers: { Authorization: `Bearer ${secret}` } })).status()).toBe(200)
  await context.close()
})

test('concurrent edits of a case show a conflict instead of overwriting', async ({ page }) => {
  const created = await page.request.post('/api/v1/cases', { data: { title: 'db7 stalls' } })
  const { number } = (await created.json()) as { number: number }
  const editElsewhere = async (data: object) => expect((await page.request.patch(`/api/v1/cases/${number}`, { data })).status()).toBe(200)
  const rename = async (title: string) => {
    await page.getByLabel('Title of the case').fill(title)
    await page.getByRole('button', { name: 'Save' }).click()
  }
  await page.goto(`/cases/${number}`)
  await page.getByTitle('Change the title').click()
  await editElsewhere({ title: 'db7 stalls in reclaim' })
  await rename('db7 stalls at night')
  const both = page.getByTestId('edit-conflict')
  await expect(both.getByRole('row', { name: 'Title' }).getByRole('cell')).toHaveText(['db7 stalls in reclaim', 'db7 stalls at night'])
  expect(await violations(page, { within: '[data-testid=edit-conflict]' })).toEqual([])
  await both.getByRole('button', { name: 'Take theirs' }).click()
  await expect(both).toHaveCount(0)
  await expect(page.getByTitle('Change the title')).toHaveText('db7 stalls in reclaim')

  await page.getByTitle('Change the title').click()
  await editElsewhere({ title: 'db7 again' })
  await rename('db7 stalls at night')
  await both.getByRole('button', { name: 'Keep mine' }).click()
  await expect(page.getByTitle('Change the title')).toHaveText('db7 stalls at night')
  await expect(both).toHaveCount(0)

  // Edits of different fields are merged.
  await page.getByTitle('Change the title').click()
  await editElsewhere({ severity: 'high' })
  await rename('db7 stalls')
  await expect(page.getByTitle('Change the title')).toHaveText('db7 stalls')
  expect(await (await page.request.get(`/api/v1/cases/${number}`)).json()).toMatchObject({ title: 'db7 stalls', severity: 'high' })
})
