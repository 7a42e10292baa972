import { expect, test } from '@playwright/test'

test('whoever writes a program finds every request from the settings, and tries one', async ({ page, context }) => {
  const wrong: string[] = []
  context.on('weberror', (error) => wrong.push(String(error.error())))
  context.on('console', (message) => {
    if (message.type() === 'error') wrong.push(message.text())
  })
  await page.goto('/settings/tokens')
  const [reference] = await Promise.all([context.waitForEvent('page'), page.getByRole('link', { name: 'Every request, to read and to try' }).click()])
  await expect(reference.getByRole('heading', { name: /^Casebook/ })).toBeVisible()
  await reference.getByPlaceholder('Filter by tag').fill('cases')
  const list = reference.locator('#operations-cases-list_cases')
  await list.getByRole('button', { name: /\/api\/v1\/cases/ }).first().click()
  await list.getByRole('button', { name: 'Try it out' }).click()
  await list.getByRole('button', { name: 'Execute' }).click()
  await expect(list.locator('.live-responses-table .response-col_status').last()).toContainText('200')
  expect(wrong).toEqual([])
})
