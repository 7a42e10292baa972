import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'

type Part = { within?: string; rules?: string[] }

/** The rows of a table after these repeat their markup; axe would spend seconds on the contrast of thousands of cells. */
const REPEATED_ROWS = 'tbody > tr:nth-child(n+9)'

/** axe violations on the page or in one part of it, without iframes of other origins. */
export async function violations(page: Page, { within, rules }: Part = {}): Promise<string[]> {
  // Without the frames axe needs no second page to put its results together; details of passed rules are not collected.
  let axe = new AxeBuilder({ page }).exclude('iframe').exclude(REPEATED_ROWS).setLegacyMode().options({ iframes: false, resultTypes: ['violations'] })
  if (within) axe = axe.include(within)
  if (rules) axe = axe.withRules(rules)
  const { violations: found } = await axe.analyze()
  return found.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html.slice(0, 160)}`))
}

/** All violations in light colours, and contrast violations in dark ones. */
export async function violationsInBothColours(page: Page, within?: string): Promise<string[]> {
  const light = await violations(page, within ? { within } : {})
  return [...light, ...(await contrastViolationsInDark(page, within))]
}

/** Contrast violations in dark colours; the page is light again afterwards. */
export async function contrastViolationsInDark(page: Page, within?: string): Promise<string[]> {
  await page.emulateMedia({ colorScheme: 'dark' })
  const dark = await violations(page, { ...(within && { within }), rules: ['color-contrast'] })
  await page.emulateMedia({ colorScheme: 'light' })
  return dark.map((found) => `dark: ${found}`)
}
