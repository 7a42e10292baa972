import { expect, test } from '@playwright/test'
import { violationsInBothColours } from './axe'

test('every screen leads to the help about it, without a session and with deep links', async ({ page }) => {
  await page.goto('/sign-in')
  await page.getByTestId('help').click()
  await expect(page).toHaveURL(/\/help\/troubleshooting#sign-in$/)
  await expect(page.getByRole('heading', { name: 'Sign-in', exact: true })).toBeInViewport()
  await page.getByRole('navigation', { name: 'Help' }).getByRole('link', { name: 'On call' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'On call' })).toBeVisible()
  // A link of a page stays in the help; a file of the repository that is not served is no link.
  await page.getByRole('link', { name: 'Questions about a quarter' }).click()
  await expect(page).toHaveURL(/\/help\/cases#questions-about-a-quarter$/)
  await expect(page.getByRole('img')).toHaveCount(1)
  expect(await violationsInBothColours(page)).toEqual([])
  await page.goto('/help/nothing-of-that-name')
  await expect(page.getByText('There is no such help page.')).toBeVisible()
})
