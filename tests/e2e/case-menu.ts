import type { Page } from '@playwright/test'

/** The button of the case header that opens the menu with further actions. */
export const moreActions = (page: Page) => page.getByRole('button', { name: 'More', exact: true })

/** Choose an action from the menu of the case header. */
export async function chooseAction(page: Page, name: string): Promise<void> {
  await moreActions(page).click()
  await page.getByRole('menuitem', { name }).click()
}
