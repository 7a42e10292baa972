import { type Browser, type BrowserContext, expect, type Page, test } from '@playwright/test'
import { violations } from './axe'

const PASSWORD = 'correct horse battery staple'

/** Invite somebody on the members page and let them join in a browser of their own. */
async function invited(owner: Page, browser: Browser, name: string, role: string): Promise<BrowserContext> {
  await owner.goto('/settings/members')
  await owner.getByLabel('Role of the invited').selectOption(role)
  await owner.getByRole('button', { name: 'Make an invitation' }).click()
  const address = await owner.getByRole('group', { name: 'Send this address to one person' }).innerText()
  const context = await browser.newContext({ storageState: { cookies: [], origins: [] } })
  const page = await context.newPage()
  await page.goto(address.trim())
  await page.getByLabel('Name').fill(name)
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Join' }).click()
  await expect(page.getByTestId('drop-zone')).toBeVisible()
  return context
}

test('a viewer reads a case and cannot change it, a responder can, and neither sees what is restricted', async ({ page, browser }, info) => {
  const made = await page.request.post('/api/v1/cases', { data: { title: 'db7 stalls' } })
  const { number } = (await made.json()) as { number: number }
  const viewer = await invited(page, browser, `vera-${info.retry}`, 'viewer')
  const responder = await invited(page, browser, `rob-${info.retry}`, 'responder')

  const read = await viewer.newPage()
  await read.goto(`/cases/${number}`)
  await expect(read.getByText('db7 stalls').first()).toBeVisible()
  expect((await viewer.request.patch(`/api/v1/cases/${number}`, { data: { title: 'no' } })).status()).toBe(403)
  expect((await responder.request.patch(`/api/v1/cases/${number}`, { data: { title: 'db7 stalls again' } })).status()).toBe(200)

  expect((await page.request.put(`/api/v1/cases/${number}/access`, { data: { visibility: 'restricted' } })).status()).toBe(200)
  for (const context of [viewer, responder]) {
    expect((await context.request.get(`/api/v1/cases/${number}`)).status()).toBe(404)
    const seen = await context.newPage()
    await seen.goto('/')
    await expect(seen.getByTestId('case-table')).toBeVisible()
    await expect(seen.getByText('db7 stalls again')).toHaveCount(0)
  }
  await viewer.close()
  await responder.close()
})

test('a member comes back by password, makes a token, and is put out at once', async ({ page, browser }, info) => {
  const name = `ada-${info.retry}`
  const context = await invited(page, browser, name, 'responder')
  await context.clearCookies()
  const member = await context.newPage()
  await member.goto('/sign-in')
  await member.getByLabel('Name').fill(name)
  await member.getByLabel('Password').fill(PASSWORD)
  await member.getByRole('button', { name: 'Sign in by password' }).click()
  await expect(member.getByTestId('drop-zone')).toBeVisible()

  await member.goto('/settings/tokens')
  await member.getByLabel('Name').fill('laptop')
  await member.getByRole('button', { name: /^Make a token/ }).click()
  const secret = (await member.getByRole('group', { name: 'The token laptop.' }).innerText()).trim()
  const asked = { headers: { Authorization: `Bearer ${secret}` } }
  expect((await page.request.get('/api/v1/me', asked)).status()).toBe(200)

  await page.goto('/settings/members')
  await page.getByRole('button', { name: `Keep out ${name}` }).click()
  await expect(page.getByRole('button', { name: `Let in ${name}` })).toBeVisible()
  expect((await page.request.get('/api/v1/me', asked)).status()).toBe(401)
  await member.goto('/settings/tokens')
  await expect(member).toHaveURL(/\/sign-in/)
  await context.close()
})

test('two people change one case: nobody overwrites what the other wrote without having seen it', async ({ page }) => {
  const made = await page.request.post('/api/v1/cases', { data: { title: 'db7 stalls' } })
  const { number } = (await made.json()) as { number: number }
  const bySomebodyElse = async (data: object) => expect((await page.request.patch(`/api/v1/cases/${number}`, { data })).status()).toBe(200)
  const rename = async (title: string) => {
    await page.getByLabel('Title of the case').fill(title)
    await page.getByRole('button', { name: 'Save' }).click()
  }
  await page.goto(`/cases/${number}`)
  await page.getByTitle('Change the title').click()
  await bySomebodyElse({ title: 'db7 stalls in reclaim' })
  await rename('db7 stalls at night')
  const both = page.getByTestId('edit-conflict')
  await expect(both.getByRole('row', { name: 'Title' }).getByRole('cell')).toHaveText(['db7 stalls in reclaim', 'db7 stalls at night'])
  expect(await violations(page, { within: '[data-testid=edit-conflict]' })).toEqual([])
  await both.getByRole('button', { name: 'Take theirs' }).click()
  await expect(both).toHaveCount(0)
  await expect(page.getByTitle('Change the title')).toHaveText('db7 stalls in reclaim')

  await page.getByTitle('Change the title').click()
  await bySomebodyElse({ title: 'db7 again' })
  await rename('db7 stalls at night')
  await both.getByRole('button', { name: 'Keep mine' }).click()
  await expect(page.getByTitle('Change the title')).toHaveText('db7 stalls at night')
  await expect(both).toHaveCount(0)

  // What was written elsewhere in the case stands beside it, unasked.
  await page.getByTitle('Change the title').click()
  await bySomebodyElse({ severity: 'high' })
  await rename('db7 stalls')
  await expect(page.getByTitle('Change the title')).toHaveText('db7 stalls')
  expect(await (await page.request.get(`/api/v1/cases/${number}`)).json()).toMatchObject({ title: 'db7 stalls', severity: 'high' })
})
