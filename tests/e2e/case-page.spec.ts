import { expect, type Page, test } from '@playwright/test'
import { violations } from './axe'
import { chooseAction } from './case-menu'
import { drop, judged, sample, text } from './evidence'

/** The paste of one host: its uname and two files of a cgroup. */
const hostFile = (name: string, failures: number) =>
  text(`${name}.txt`, `$ uname -a\nLinux ${name} 6.1.0-18-amd64 #1 SMP Debian 6.1.76-1 x86_64 GNU/Linux\n\n==> /sys/fs/cgroup/memory/db/memory.failcnt <==\n${failures}\n==> /sys/fs/cgroup/memory/db/memory.limit_in_bytes <==\n402653184\n`)

test.describe.configure({ mode: 'serial' })

let address = ''

const panel = (page: Page) => page.getByTestId('label-panel')
const part = (page: Page, name: RegExp) => page.getByRole('navigation', { name: 'Parts of the case' }).getByRole('button', { name })

test('a finding is labelled with a reason, and its verdict does not change', async ({ page }) => {
  await page.goto('/')
  await drop(page, sample('reclaim-at-the-limit'))
  await judged(page)
  address = page.url()
  await panel(page).getByRole('button', { name: 'Wrong' }).click()
  await panel(page).getByLabel('Misleading condition').selectOption({ index: 1 })
  await panel(page).getByLabel(/^Reason/).fill('the group was at its limit by design')
  await panel(page).getByRole('button', { name: 'Save reason' }).click()
  await expect(panel(page).getByRole('list')).toContainText('misleading: ')
  await page.reload()
  await expect(panel(page).getByRole('list')).toContainText('the group was at its limit by design')
  await expect(page.getByTestId('finding-card')).toHaveAttribute('data-verdict', 'match')
})

test('a label is removed and restored', async ({ page }) => {
  await page.goto(address)
  await panel(page).getByRole('button', { name: 'Remove' }).click()
  await expect(panel(page).getByRole('list')).toHaveCount(0)
  await page.getByRole('status').getByRole('button', { name: 'Undo' }).click()
  await expect(panel(page).getByRole('list')).toContainText('the group was at its limit by design')
})

test('a note is drafted, previewed, saved, edited, deleted and restored', async ({ page }) => {
  await page.goto(address)
  await part(page, /Notes and timeline/).click()
  await expect(page).toHaveURL(/tab=timeline/)
  await page.getByLabel('Add a note').fill('<script>document.title = "run"</script>\n\nLimit **raised** to 8G')
  await page.reload()
  await expect(page.getByLabel('Add a note')).toHaveValue(/Limit \*\*raised\*\*/)
  await page.getByRole('button', { name: 'Insert link to this view' }).click()
  await page.getByRole('button', { name: 'Preview' }).click()
  await expect(page.getByTestId('note-preview').locator('strong')).toHaveText('raised')
  await expect(page.getByTestId('note-preview').locator('script')).toHaveCount(0)
  expect(await violations(page)).toEqual([])
  await page.getByRole('button', { name: 'Save note' }).click()
  const note = page.locator('[data-testid=timeline-entry][data-kind=note]')
  await expect(note.locator('strong')).toHaveText('raised')
  await expect(note.getByRole('link')).toHaveAttribute('href', /\/cases\/\d+\?finding=/)

  await note.getByRole('button', { name: 'Edit' }).click()
  await page.getByLabel('Edit note').fill('Limit **raised** to 16G')
  await page.keyboard.press('Control+Enter')
  await expect(note).toContainText('to 16G')
  await note.getByRole('button', { name: 'Delete' }).click()
  await expect(note).toHaveCount(0)
  await page.getByRole('status').getByRole('button', { name: 'Undo' }).last().click()
  // A page that is left while it sends cancels the request.
  await expect(note).toContainText('to 16G')
  await page.reload()
  await expect(note).toContainText('to 16G')
})

test('the timeline lists findings, labels and files without a timestamp', async ({ page }) => {
  await page.goto(`${address}?tab=timeline`)
  const timeline = page.getByTestId('timeline')
  await expect(timeline).toContainText('owner opened the case')
  await expect(timeline).toContainText('Found mm/memcg-limit-reclaim')
  await expect(timeline).toContainText('is wrong')
  await expect(timeline).toContainText('without a timestamp')
})

test('a case is closed with cause and fix, which persist after a reload', async ({ page }) => {
  await page.goto(address)
  await chooseAction(page, 'Close case')
  const dialog = page.getByRole('dialog', { name: /Close case/ })
  await expect(dialog.getByLabel(/^Signature/)).toHaveValue('mm/memcg-limit-reclaim')
  await dialog.getByLabel(/^Cause/).fill('The backup filled the page cache.')
  await dialog.getByRole('list', { name: 'Suggested fixes' }).getByRole('button').first().click()
  expect(await violations(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Close case' }).click()
  // A reload before the answer would cancel the request.
  await expect(page.getByTestId('resolution')).toBeVisible()
  await page.reload()
  await expect(page.getByTestId('resolution')).toContainText('The backup filled the page cache. Fixed by: Raise the limit')
  await expect(panel(page).getByRole('list')).toContainText('the group was at its limit by design')
  await page.keyboard.press('2')
  await expect(page.getByTestId('timeline')).toContainText('closed the case: The backup filled the page cache.')
  await expect(page.getByTestId('timeline')).toContainText('to 16G')
  await chooseAction(page, 'Reopen')
  await expect(page.getByTestId('resolution')).toContainText('Reopened.')
})

/** Selects a hypothesis of the matrix by its short title. */
async function selectHypothesis(page: Page, title: string): Promise<void> {
  await page.getByRole('list', { name: 'Hypotheses' }).getByRole('button', { name: title }).click()
}

test('a capture run is recorded with its result, and a hung tool by a tick', async ({ page }) => {
  await page.goto(address)
  await selectHypothesis(page, 'Page fault holds mmap_lock in reclaim, and ps hangs')
  const next = page.getByRole('region', { name: 'Could it be something else?' })
  await next.getByRole('button', { name: /^Record run/ }).first().click()
  const form = next.getByRole('form', { name: /^Result of/ })
  await form.getByLabel('Output (optional)').fill('==> /proc/meminfo <==\nMemTotal: 4026532 kB\n')
  expect(await violations(page)).toEqual([])
  await form.getByRole('button', { name: 'Add result' }).click()
  const runs = page.getByTestId('capture-runs')
  await expect(runs).toContainText('pasted.txt')
  await page.reload()
  await expect(runs).toContainText('pasted.txt')

  const hangs = page.getByTestId('hangs')
  await hangs.locator('summary').click()
  await hangs.getByRole('checkbox', { name: 'ps', exact: true }).click()
  await expect(page.getByText('Recorded: ps hangs.')).toBeVisible()
  await page.reload()
  await expect(hangs.getByRole('checkbox', { name: 'ps', exact: true })).toBeChecked()
  const clause = page.locator('[data-testid=clause-row]', { hasText: 'said-ps-hangs.txt' })
  await selectHypothesis(page, 'Page fault holds mmap_lock in reclaim, and ps hangs')
  await expect(clause).toHaveAttribute('data-state', 'TRUE')
  await hangs.getByRole('checkbox', { name: 'ps', exact: true }).click()
  await expect(clause).toHaveCount(0)
})

test('evidence of a folder before the incident is judged separately and compared at once', async ({ page }) => {
  await page.goto(address)
  await part(page, /Before and after/).click()
  const row = page.getByTestId('phases').locator('[data-testid=phase-row][data-signature="mm/memcg-limit-reclaim"]')
  await expect(row).toHaveAttribute('data-outcome', 'appeared')
  await expect(row.getByRole('columnheader', { name: /Before the incident/ })).toBeVisible()
  expect(await violations(page)).toEqual([])
})

test('folders of two hosts are two hosts at once, and a chip moves one, with an undo', async ({ page }) => {
  await page.goto('/')
  await drop(page, ['web-01', 'web-02'].flatMap((host) => [text(`x/${host}/proc/vmstat`, `pgscan_direct 1${host.at(-1)}\n`), text(`x/${host}/proc/loadavg`, `0.0${host.at(-1)} 0.01 0.05 1/312 4021\n`)]))
  await judged(page)
  const summary = page.getByTestId('evidence-summary')
  await expect(summary).toHaveText('4 files: web-01 (2, during) · web-02 (2, during)')
  await summary.click()
  const folder = page.getByTestId('evidence-folder').filter({ hasText: 'x/web-02/' })
  await folder.getByRole('button', { name: 'Host of x/web-02/proc/: web-02, assumed' }).click()
  await page.getByRole('menuitem', { name: 'web-01' }).click()
  await expect(summary).toHaveText('4 files: web-01 (4, during)')
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(summary).toContainText('web-02 (2, during)')
  expect(await violations(page)).toEqual([])

  // The same by dragging the folder onto the host of another one, and onto a phase at the edge of the window.
  const undos = page.getByRole('button', { name: 'Undo' })
  await expect(undos).toHaveCount(0)
  await folder.getByRole('button', { name: /x\/web-02\/proc\/$/ }).dragTo(page.getByRole('button', { name: /^Host of x\/web-01\/proc\/:/ }))
  await expect(summary).toHaveText('4 files: web-01 (4, during)')
  await undos.click()
  await expect(summary).toContainText('web-02 (2, during)')
  await folder.getByRole('button', { name: /x\/web-02\/proc\/$/ }).hover()
  await page.mouse.down()
  await page.mouse.move(300, 400, { steps: 3 })
  const after = page.getByTestId('place-targets').getByText('after', { exact: true })
  await after.hover()
  await page.mouse.up()
  await expect(summary).toHaveText('4 files: web-01 (2, during) · web-02 (2, after)')
  await expect(page.getByTestId('place-targets')).toHaveCount(0)
})

test('hosts are compared, and a difference links to its lines', async ({ page }) => {
  await page.goto('/')
  await drop(page, [hostFile('db7', 6041559), hostFile('db8', 0), hostFile('db9', 0)])
  await judged(page)
  await part(page, /Hosts/).click()
  const hosts = page.getByTestId('hosts')
  await expect(hosts.getByRole('region', { name: 'Hosts and boots table' })).toContainText('db9')
  await hosts.getByLabel('Affected host').selectOption('db7')
  const differs = hosts.getByTestId('contrast').getByRole('row')
  await expect(differs).toHaveCount(2)
  await expect(differs.nth(1)).toContainText('memcg.failcnt')
  await expect(differs.nth(1)).toContainText('none elsewhere')
  expect(await violations(page)).toEqual([])
  await differs.nth(1).getByRole('button').first().click()
  const raw = page.getByTestId('raw-evidence')
  await expect(raw.locator('[data-line="5"]')).toContainText('6041559')
  await page.goBack()
  await expect(hosts.getByLabel('Affected host')).toHaveValue('db7')
})

test('the command palette finds functions, findings, files, actions and pages, by keyboard', async ({ page }) => {
  await page.goto(address)
  await page.getByTestId('flame-graph').waitFor()
  const palette = page.getByTestId('palette')
  const find = async (words: string, group: string) => {
    await page.keyboard.press('Control+k')
    await palette.getByRole('combobox').fill(words)
    await expect(palette.getByRole('group', { name: group }).getByRole('option').first()).toHaveAttribute('aria-selected', 'true')
  }
  await find('shrink_lruvec', 'Functions')
  expect(await violations(page, { within: '[data-testid=palette]' })).toEqual([])
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/view=sandwich&of=shrink_lruvec|of=shrink_lruvec.*view=sandwich/)
  await find('memcg-limit', 'Findings')
  await page.keyboard.press('Escape')
  await expect(palette).toHaveCount(0)
  await find('collect', 'Actions')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog', { name: /collect/i })).toBeVisible()
  await page.keyboard.press('Escape')
  await find('audit log', 'Pages')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/settings\/audit/)
})
