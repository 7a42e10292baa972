import { AxeBuilder } from '@axe-core/playwright'

/** How every page and state is photographed. */
export const FORMS = {
  light: { colorScheme: 'light', viewport: { width: 1440, height: 900 } },
  dark: { colorScheme: 'dark', viewport: { width: 1440, height: 900 } },
  phone: { colorScheme: 'light', viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
}

/** axe violations of the page at hand; rows after these repeat their markup, and frames are of other origins. */
export async function violationsOf(page, name) {
  const { violations } = await new AxeBuilder({ page }).exclude('iframe').exclude('tbody > tr:nth-child(n+9)').setLegacyMode().options({ iframes: false, resultTypes: ['violations'] }).analyze()
  return violations.map(({ id, nodes }) => `${name}: ${id}: ${nodes[0]?.html.slice(0, 160)}`)
}
