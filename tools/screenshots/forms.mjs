import { AxeBuilder } from '@axe-core/playwright'

/** How every page and state is photographed. */
export const FORMS = {
  light: { colorScheme: 'light', viewport: { width: 1440, height: 900 } },
  dark: { colorScheme: 'dark', viewport: { width: 1440, height: 900 } },
  phone: { colorScheme: 'light', viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
}

/** The rules that another form of a page can break: colours, and what a narrow screen hides. In light colours all of them are looked at. */
const RULES = { dark: ['color-contrast'], phone: ['button-name', 'color-contrast', 'label', 'link-name', 'page-has-heading-one', 'scrollable-region-focusable', 'target-size'] }

/** axe violations of the page at hand; rows after these repeat their markup, and frames are of other origins. */
export async function violationsOf(page, name, form) {
  const options = { iframes: false, resultTypes: ['violations'], ...(RULES[form] && { runOnly: { type: 'rule', values: RULES[form] } }) }
  const axe = new AxeBuilder({ page }).exclude('iframe').exclude('tbody > tr:nth-child(n+9)').setLegacyMode().options(options)
  const { violations } = await axe.analyze()
  return violations.map(({ id, nodes }) => `${name} ${form}: ${id}: ${nodes[0]?.html.slice(0, 160)}`)
}
