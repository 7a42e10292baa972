import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'

/** axe violations on the page or in one part of it, without iframes of other origins. */
export async function violations(page: Page, { within, rules }: { within?: string; rules?: string[] } = {}): Promise<string[]> {
  let axe = new AxeBuilder({ page }).exclude('iframe')
  if (within) axe = axe.include(within)
  if (rules) axe = axe.withRules(rules)
  const { violations: found } = await axe.analyze()
  return found.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html.slice(0, 160)}`))
}

/** All violations in light colours, and contrast violations in dark ones. */
export async function violationsInBothColours(page: Page, within?: string): Promise<string[]> {
  const part = within ? { within } : {}
  await page.emulateMedia({ colorScheme: 'light' })
  const light = await violations(page, part)
  await page.emulateMedia({ colorScheme: 'dark' })
  const dark = await violations(page, { ...part, rules: ['color-contrast'] })
  await page.emulateMedia({ colorScheme: 'light' })
  return [...light, ...dark.map((found) => `dark: ${found}`)]
}
