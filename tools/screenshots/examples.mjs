// What a fresh instance lacks: a handoff with a link, a published story, a baseline, an invitation.

import { createHash } from 'node:crypto'

const POINTS = 12
const TEXT = `A container reads through files at its memory limit. Direct reclaim drops pages that are read again at once.

## How it was found

The share of \`try_to_free_mem_cgroup_pages\` was read first, then \`memory.stat\` of the group.`

/** Results of a benchmark whose \`parse_rows\` becomes slower at the seventh point. */
function point(day) {
  const [read, parse] = [(100 + (day % 3)) * 1e6, day < 7 ? 40e6 : 80e6]
  const conditions = { host: 'ci-3', kernel: '6.18.44', cpu_model: 'Xeon', cpus: 8, frequency_hz: 997, started_at: null, duration_seconds: 2.4, losses: [] }
  const functions = { 'user.main': [0, read + parse, 3], 'user.parse_rows': [parse, parse, 2] }
  return {
    project: 'example/proxy',
    benchmark: 'load',
    machine: '8 x Xeon',
    kernel: '6.18.44',
    commit: `c${day}0a1b2c`,
    is_work_known: true,
    comms: [],
    measured_at: `2026-11-${String(day).padStart(2, '0')}T12:00:00Z`,
    runs: [{ sha256: [createHash('sha256').update(`example ${day}`).digest('hex')], work: 1, costs: { event: 'cpu-clock', unit: 'ns', weight: read + parse, samples: 2400, functions, counters: {}, conditions } }],
    stacks: { event: 'cpu-clock', unit: 'ns', samples: 2400, names: ['main', 'read_rows', 'parse_rows'], kinds: ['user', 'user', 'user'], depth: [0, 1, 1], frame: [0, 1, 2], self: [0, read, parse] },
  }
}

/** Make them with the session of `request`; their addresses: of an account, and of somebody without one. */
export async function makeExamples(request, number) {
  const post = async (path, data) => {
    const answer = await request.post(`/api/v1${path}`, { data })
    if (!answer.ok()) throw new Error(`${path}: ${answer.status()} ${await answer.text()}`)
    return answer.json()
  }
  const handoffs = `/cases/${number}/handoffs`
  let handoff = await post(handoffs, { recipient: 'Kernel support', question: 'Is the limit too low, or does the group leak?' })
  while (handoff.state === 'preparing') {
    await new Promise((done) => setTimeout(done, 500))
    handoff = await (await request.get(`/api/v1${handoffs}/${handoff.id}`)).json()
  }
  const classes = (handoff.redaction?.open_classes ?? []).map(({ name }) => name)
  const { url } = await post(`${handoffs}/${handoff.id}/offer`, { is_reviewed: true, reviewed_classes: classes })
  const story = { title: 'Files read again and again below a memory limit', area: 'mm', symptoms: ['reads are slow in one container'], signatures: ['mm/memcg-limit-reclaim'], cases: [number], fix: 'A higher limit.', text: TEXT }
  const draft = await post('/stories', story)
  await post(`/stories/${draft.id}/publish`, { revision: draft.revision })
  let baseline = ''
  for (let day = 1; day <= POINTS; day++) baseline = (await post('/baselines', point(day))).baseline_id
  const invitation = await post('/invitations', { role: 'responder' })
  const pathOf = (address) => new URL(address).pathname + new URL(address).hash
  return {
    account: { story: `/library/${draft.slug}`, 'story-editor': `/library/${draft.slug}/edit`, trend: `/baselines/${baseline}` },
    guest: { 'handoff-received': pathOf(url), join: pathOf(invitation.url) },
  }
}
