/** One line of a diagram told in words: who does what to whom. `depth` indents what happens inside a loop. */
export type Step = { text: string; depth: number }

const label = (raw: string): string => raw.replaceAll(/<br\/?>/g, ' ').replaceAll(/^["']|["']$/g, '').trim()

/**
 * Tell a Mermaid diagram as steps: a sequence in its order, a flow chart arrow by arrow, with names in place of ids.
 * A screen reader reads them, and a page that allows no inline style can show them. Null for other kinds of diagram.
 */
export function stepsOf(source: string): Step[] | null {
  const lines = source.split('\n').map((line) => line.trim()).filter((line) => line !== '' && !line.startsWith('%%'))
  const kind = lines[0] ?? ''
  if (kind.startsWith('sequenceDiagram')) return sequence(lines.slice(1))
  if (kind.startsWith('flowchart') || kind.startsWith('graph')) return flow(lines.slice(1))
  if (kind.startsWith('gantt')) return gantt(lines.slice(1))
  return null
}

function sequence(lines: string[]): Step[] {
  const names = new Map<string, string>()
  const steps: Step[] = []
  let depth = 0
  for (const line of lines) {
    const participant = /^(?:participant|actor) (\w+)(?: as (.*))?$/.exec(line)
    const block = /^(loop|alt|opt|else|par)\s*(.*)$/.exec(line)
    const message = /^(\w+)\s*-{1,2}>{1,2}\s*(\w+)\s*:\s*(.*)$/.exec(line)
    const note = /^Note (?:over|left of|right of) [^:]*:\s*(.*)$/i.exec(line)
    if (participant?.[1]) names.set(participant[1], label(participant[2] ?? participant[1]))
    else if (block) {
      steps.push({ text: `${block[1]} ${label(block[2] ?? '')}`.trim(), depth })
      depth += 1
    } else if (line === 'end') depth = Math.max(0, depth - 1)
    else if (message?.[1] && message[2]) {
      const [from, to] = [names.get(message[1]) ?? message[1], names.get(message[2]) ?? message[2]]
      steps.push({ text: `${from} → ${to}: ${label(message[3] ?? '')}`, depth })
    } else if (note) steps.push({ text: label(note[1] ?? ''), depth })
  }
  return steps
}

function flow(lines: string[]): Step[] {
  const names = new Map<string, string>()
  const arrows: { from: string; to: string; word: string }[] = []
  for (const line of lines) {
    for (const [, id, text] of line.matchAll(/(\w+)(?:\[|\{|\(\[?)([^\]})]+)(?:\]|\}|\]?\))/g)) if (id && text) names.set(id, label(text))
    const bare = line.replaceAll(/(\w+)(?:\[[^\]]*\]|\{[^}]*\}|\([^)]*\))/g, '$1')
    const chain = bare.split(/\s*(?:--\s*([^->]+?)\s*)?(?:-->|-\.->)\s*(?:\|([^|]*)\|)?\s*/)
    for (let at = 0; at + 3 < chain.length; at += 3) {
      const [from, before, after, to] = [chain[at], chain[at + 1], chain[at + 2], chain[at + 3]]
      if (from && to) arrows.push({ from, to, word: label(before ?? after ?? '') })
    }
  }
  const name = (id: string): string => names.get(id.trim()) ?? id.trim()
  return arrows.map(({ from, to, word }) => ({ text: `${name(from)} → ${word ? `${word}: ` : ''}${name(to)}`, depth: 0 }))
}

function gantt(lines: string[]): Step[] {
  const steps: Step[] = []
  for (const line of lines) {
    const title = /^(title|section) (.*)$/.exec(line)
    const span = /^(.*?)\s*:(?:\s*\w+,)*\s*(\d+),\s*(\d+)$/.exec(line)
    if (title) steps.push({ text: label(title[2] ?? ''), depth: 0 })
    else if (span) steps.push({ text: `${label(span[1] ?? '')}, from ${span[2]} to ${span[3]}`, depth: 1 })
  }
  return steps
}
