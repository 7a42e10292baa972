// What `measure.mjs` measured, as Markdown.

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]
const ms = (value) => (value >= 1000 ? `${(value / 1000).toFixed(1)} s` : `${value.toFixed(value < 10 ? 1 : 0)} ms`)
const kb = (bytes) => (bytes >= 1e6 ? `${(bytes / 1e6).toFixed(1)} MB` : `${(bytes / 1e3).toFixed(0)} kB`)
const number = (value) => value.toLocaleString('en')
const middle = (runs, key) => median(runs.map((run) => run[key]))
const spread = (runs, key) => `${ms(middle(runs, key))} (${ms(Math.min(...runs.map((run) => run[key])))}–${ms(Math.max(...runs.map((run) => run[key])))})`

function paintRow({ size, first, all, theirs }) {
  const problem = theirs.find((run) => run.problem)?.problem
  const peer = problem ? [problem, '–', '–'] : [spread(theirs, 'firstPaint'), ms(middle(theirs, 'zoom')), `${(middle(theirs, 'firstPaint') / middle(all, 'firstPaint')).toFixed(0)} times`]
  return `| ${[number(size.nodes), spread(first, 'firstPaint'), spread(all, 'firstPaint'), ...peer].join(' | ')} |`
}

function frameRow({ size, first, all }) {
  const cells = [ms(middle(all, 'drawMedian')), ms(middle(all, 'draw95')), ms(middle(all, 'frameGap')), spread(all, 'loadBlocked'), spread(first, 'loadBlocked'), spread(all, 'zoomBlocked')]
  return `| ${[number(size.nodes), ...cells, `${ms(middle(all, 'searchTime'))} over ${number(all[0].names)}`].join(' | ')} |`
}

function payloadRow({ size, first }) {
  const pair = (name) => `${kb(size[`${name}_gzip_bytes`])} (${kb(size[`${name}_bytes`])})`
  return `| ${number(size.nodes)} | ${number(first[0].rows)} rows, ${kb(size.first_gzip_bytes)} | ${pair('all')} | ${pair('nested')} |`
}

export function report(measured, { about, rounds }) {
  return `# Flame graphs beside d3-flame-graph

${about},
1280 × 700 pixels, medians (and least–most) of ${rounds} rounds in turn, d3-flame-graph 5.0.0 with its own defaults and no
transition, stopped after 120 s. \`make bench-graph\`.

Stacks are recorded ones; for the larger sizes every thread and slice of time has a tree of its own. Bytes are in the page’s
memory when the clock starts, and it stops two frames after the graph was handed to the page.
*First view* is what the server sends first: boxes of at least 0.1 %. *Every node* has all of them loaded at once, which the
product never asks for: the server sends at most 200,000.

| nodes | ours, first view | ours, every node | d3-flame-graph | its zoom | ours, every node, is faster by |
| --- | --- | --- | --- | --- | --- |
${measured.map(paintRow).join('\n')}

With every node loaded: JavaScript of one drawn frame while zooming along the widest path, the time between frames of an
animated zoom, and a regular expression over all names. *Blocked* is the longest time for which the page could not have answered
a key; beside it stands the same for the first view, which has next to nothing to do and shows what the machine’s other work adds.

| nodes | frame, median | frame, p95 | between frames, p95 | blocked, loading every node | blocked, loading the first view | blocked, zooming | search |
| --- | --- | --- | --- | --- | --- | --- | --- |
${measured.map(frameRow).join('\n')}

What is sent, compressed (and not):

| nodes | first view | every node, columns | every node, nested |
| --- | --- | --- | --- |
${measured.map(payloadRow).join('\n')}
`
}
