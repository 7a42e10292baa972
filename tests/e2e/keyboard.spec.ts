import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { expect, type Locator, type Page, test } from '@playwright/test'
import { drop, judged, sample, text } from './evidence'
import { RLO } from './hostile'

const MOST_TABS = 120

/** Press Tab until a control has the focus; a control that no Tab reaches fails the test. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  await expect(target).toBeVisible()
  for (let pressed = 0; pressed < MOST_TABS; pressed++) {
    if (await target.evaluate((node) => node === document.activeElement)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`no Tab reaches ${String(target)}`)
}

/** The files of a sample in one folder, as a file dialog offers them. */
function onDisk(name: string): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'keyboard-'))
  return sample(name).map(({ path, content }) => {
    const target = join(folder, `${path.includes('before') ? 'before-' : ''}${basename(path)}`)
    writeFileSync(target, content)
    return target
  })
}

test('from the upload to the handoff without a mouse', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  // Before the page opens: the browser may take a key before it takes a later listener.
  const dialog = page.waitForEvent('filechooser')
  await page.goto('/')
  await tabTo(page, page.getByRole('button', { name: 'Browse files' }))
  await page.keyboard.press('Enter')
  await (await dialog).setFiles(onDisk('reclaim-at-the-limit'))
  await judged(page)

  // The finding, its proof and its command.
  await expect(page.getByRole('heading', { level: 1 })).toContainText('limit')
  const condition = page.locator('[data-testid=clause-row][data-clause="memcg_reclaim"]').getByRole('button').first()
  await tabTo(page, condition)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/clause=memcg_reclaim/)
  const graph = page.getByTestId('flame-graph')
  await expect(graph).not.toHaveAttribute('data-outlined-nodes', '')
  await page.reload()
  const copy = page.getByRole('region', { name: 'Do this now' }).getByRole('button', { name: /^Copy/ }).first()
  await tabTo(page, copy)
  await page.keyboard.press('Enter')
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toContain('memory.')

  // The graph and its search.
  await tabTo(page, graph)
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Enter')
  await expect(graph).not.toHaveAttribute('data-zoom-node', '')
  await page.keyboard.press('0')
  await page.keyboard.press('/')
  await page.keyboard.type('shrink_lruvec')
  await expect(page.getByTestId('search-result')).toContainText('of the weight')
  await page.keyboard.press('Escape')

  // The handoff, by the palette.
  await page.keyboard.press('Control+k')
  await page.keyboard.type('handoff')
  await expect(page.getByTestId('palette').getByRole('option', { selected: true })).toContainText(/hand/i)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/tab=handoff/)
  await tabTo(page, page.getByLabel('Recipient'))
  await page.keyboard.type('Kernel support')
  await tabTo(page, page.getByLabel('Question'))
  await page.keyboard.type('Is the limit too low?')
  await tabTo(page, page.getByRole('button', { name: 'Redact and review' }))
  await page.keyboard.press('Enter')
  const handoff = page.getByTestId('handoff')
  await expect(handoff).toHaveAttribute('data-state', 'ready', { timeout: 300_000 })
  for (const tick of await handoff.getByLabel('I reviewed this class').all()) {
    await tabTo(page, tick)
    await page.keyboard.press('Space')
    await expect(tick).toBeChecked()
  }
  await tabTo(page, handoff.getByRole('button', { name: 'Create link' }))
  await page.keyboard.press('Enter')
  await expect(handoff.getByRole('group', { name: 'link' })).toContainText('/s')
})

test('names of files that are long or turn the reading direction stay in their place', async ({ page }) => {
  const long = `${'a-very-long-name-of-one-host-'.repeat(8)}dmesg.txt`
  const turned = `invoice${RLO}txt.exe`
  await page.goto('/')
  await drop(page, [
    text(long, '[    1.000000] EXT4-fs error (device sda1): ext4_find_entry:1455: inode #2: comm ls: reading directory lblock 0\n'),
    text(`logs/${turned}`, 'procs\n'),
    text('עברית/سجل.txt', '0.10 0.20 0.30 1/200 4242\n'),
  ])
  await judged(page)
  await page.getByRole('button', { name: /^[▸▾]? ?Evidence/ }).click()
  const panel = page.getByTestId('evidence-row')
  await expect(panel.first()).toBeVisible()
  const names = await page.getByTestId('evidence-row').locator('button[title^="Show the raw text"]').all()
  expect(names.length).toBeGreaterThanOrEqual(3)
  for (const name of names) {
    expect(await name.textContent()).not.toContain(RLO)
    expect(await name.evaluate((node) => getComputedStyle(node).unicodeBidi)).toBe('isolate')
  }
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 844 })
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBeLessThanOrEqual(0)
  }
})
