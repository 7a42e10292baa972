// Flame graphs side by side in Chromium: `make bench-graph`. Reads what `benchmarks.graph_input` made.

import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { cpus, loadavg, release } from 'node:os'
import { extname, join, normalize } from 'node:path'
import { chromium } from '@playwright/test'
import { report } from './report.mjs'

const PEER_LIMIT_MS = 120_000
const ROUNDS = Number(process.env.CASEBOOK_BENCH_ROUNDS ?? 3)
const top = join(import.meta.dirname, '../..')
const input = join(top, 'var/bench/graphs')
const sizes = readdirSync(input)
  .filter((name) => /^graph-\d+\.json$/.test(name))
  .map((name) => JSON.parse(readFileSync(join(input, name), 'utf8')))
  .toSorted((a, b) => a.nodes - b.nodes)

const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.woff2': 'font/woff2', '.json': 'application/json' }
const server = createServer((request, response) => {
  const name = normalize(request.url === '/' ? '/index.html' : request.url)
  response.setHeader('Content-Type', TYPES[extname(name)] ?? 'text/plain')
  response.end(readFileSync(join(top, 'var/bench', name.startsWith('/graphs/') ? name : join('page', name))))
})
await new Promise((listening) => server.listen(0, '127.0.0.1', listening))
const url = `http://127.0.0.1:${server.address().port}/`
const browser = await chromium.launch({ executablePath: process.env.CASEBOOK_CHROMIUM ?? '/usr/bin/chromium-headless-shell', args: ['--no-sandbox', '--disable-gpu'] })

/** Run one measurement in a page of its own; `problem` says why there is no result. */
async function measure(name, file) {
  const tab = await browser.newPage({ viewport: { width: 1300, height: 800 } })
  tab.setDefaultTimeout(0)
  await tab.goto(url)
  await tab.waitForFunction(() => typeof window.ours === 'function')
  const limit = new Promise((done) => setTimeout(() => done({ problem: `did not finish in ${PEER_LIMIT_MS / 1000} s` }), PEER_LIMIT_MS))
  const work = tab.evaluate(([which, address]) => window[which](address), [name, `/graphs/${file}`]).catch((error) => ({ problem: `failed: ${error.message.split('\n')[0].replace(/^page.evaluate: /, '')}` }))
  const told = await Promise.race([work, limit])
  await Promise.race([tab.close(), new Promise((done) => setTimeout(done, 5_000))])
  return told
}

const load = () => loadavg()[0].toFixed(1)
const loadBefore = load()

const measured = []
for (const size of sizes) {
  const [first, all, theirs] = [[], [], []]
  for (let round = 0; round < ROUNDS; round++) {
    first.push(await measure('ours', `graph-${size.wanted}-first.json`))
    all.push(await measure('ours', `graph-${size.wanted}-all.json`))
    if (!theirs.at(-1)?.problem) theirs.push(await measure('peer', `graph-${size.wanted}-nested.json`))
    process.stderr.write(`${size.nodes} nodes, round ${round + 1}: ${JSON.stringify([first.at(-1), all.at(-1), theirs.at(-1)])}\n`)
  }
  measured.push({ size, first, all, theirs })
}
const version = browser.version()
await browser.close()
server.close()

const about = `${new Date().toISOString().slice(0, 10)}, ${cpus().length} CPUs, Linux ${release()}, load ${loadBefore} at the start and ${load()} at the end, Chromium ${version} without GPU`
writeFileSync(join(top, 'benchmarks/GRAPH.md'), report(measured, { about, rounds: ROUNDS }))
