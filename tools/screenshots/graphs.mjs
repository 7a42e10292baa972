// The pictures of docs/flame-graphs.md: every view, light and dark.

import { readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'

const ROOT = join(import.meta.dirname, '../..')
const DATA = join(ROOT, 'tests/data')
const SETTLE_MS = 1_500

/** Send files as a case of their own and wait until it is judged; returns its number. */
async function caseOf(page, folder) {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => statSync(join(folder, path)).isFile() && basename(path) !== 'PROVENANCE.md')
  const form = new FormData()
  for (const path of files) form.append('files', new File([readFileSync(join(folder, path))], path))
  const answer = await page.request.post('/api/v1/evidence', { multipart: form })
  const { number } = (await answer.json()).case
  for (;;) {
    const found = await (await page.request.get(`/api/v1/cases/${number}`)).json()
    if (found.judged && found.reading_count === 0) return number
    await page.waitForTimeout(500)
  }
}

const profilesOf = async (page, number) => (await (await page.request.get(`/api/v1/cases/${number}/profiles`)).json()).items

/** Every view once in light and once in dark colours. */
export async function takeGraphs(page, take, reclaim) {
  const guest = await caseOf(page, join(DATA, 'recorded/guest'))
  const ordered = await caseOf(page, join(DATA, 'published/network-stalls'))
  const profiles = await profilesOf(page, guest)
  const scripts = (folder) => profiles.find(({ evidence_name: name }) => name.includes(`${folder}/perf.script`)).id
  const [idle, busy] = [scripts('idle'), scripts('classic-lru')]
  const clause = 'wide=true&clause=memcg_reclaim'
  const views = {
    flame: `/cases/${reclaim}?${clause}`,
    icicle: `/cases/${reclaim}?wide=true&view=icicle`,
    inverted: `/cases/${reclaim}?wide=true&inverted=true`,
    search: `/cases/${reclaim}?wide=true&q=lru`,
    time: `/cases/${reclaim}?wide=true&view=time&cpu=%5B1%5D&t0=3&t1=4`,
    sandwich: `/cases/${reclaim}?wide=true&view=sandwich&of=shrink_lruvec`,
    table: `/cases/${reclaim}?wide=true&view=table`,
    'lanes-cpu': `/cases/${guest}?wide=true&view=lanes&profile=${busy}&t0=4&t1=6`,
    'lanes-thread': `/cases/${guest}?wide=true&view=lanes&by=thread&profile=${busy}&t0=4&t1=6`,
    'lanes-ordered': `/cases/${ordered}?wide=true&view=lanes`,
    cases: `/cases/${reclaim}?wide=true&q=${encodeURIComponent('^try_charge_memcg$')}&seen=try_charge_memcg`,
    diff: `/compare?a=${idle}&b=${busy}`,
    numbers: `/cases/${reclaim}?wide=true&view=numbers`,
    series: `/cases/${guest}?wide=true&view=numbers`,
    speedscope: `/cases/${reclaim}?wide=true&view=speedscope`,
  }
  for (const [name, address] of Object.entries(views)) {
    await page.goto(address)
    await page.waitForTimeout(name === 'speedscope' ? 4 * SETTLE_MS : 2 * SETTLE_MS)
    await take(`graph-${name}-light`, 'light')
    await take(`graph-${name}-dark`, 'dark')
  }
}
