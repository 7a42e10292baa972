/** One step of a diagram as text. `depth` is the nesting inside blocks such as loops. */
export type Step = { text: string; depth: number }

/** Events of a sequence diagram in order. A block extends to its `end`. */
export type SequenceEvent =
  | { kind: 'message'; from: string; to: string; text: string; isReply: boolean }
  | { kind: 'note'; over: string[]; text: string }
  | { kind: 'block'; text: string }
  | { kind: 'end' }

export type Arrow = { from: string; to: string; text: string; isDotted: boolean }
export type Span = { text: string; section: string; from: number; to: number }

/** A parsed Mermaid diagram; `names` maps ids to labels in order of appearance. */
export type MermaidDiagram =
  | { kind: 'sequence'; names: Map<string, string>; events: SequenceEvent[] }
  | { kind: 'flow'; isSideways: boolean; names: Map<string, string>; decisions: Set<string>; arrows: Arrow[] }
  | { kind: 'gantt'; title: string; spans: Span[] }

const label = (raw: string): string => raw.replaceAll(/<br\/?>/g, ' ').replaceAll(/^["']|["']$/g, '').trim()

/** Parse sequence, flow and Gantt diagrams; null for other kinds. */
export function readDiagram(source: string): MermaidDiagram | null {
  const lines = source.split('\n').map((line) => line.trim()).filter((line) => line !== '' && !line.startsWith('%%'))
  const kind = lines[0] ?? ''
  if (kind.startsWith('sequenceDiagram')) return sequence(lines.slice(1))
  if (kind.startsWith('flowchart') || kind.startsWith('graph')) return flow(lines.slice(1), /\b(?:LR|RL)\b/.test(kind))
  if (kind.startsWith('gantt')) return gantt(lines.slice(1))
  return null
}

function sequence(lines: string[]): MermaidDiagram {
  const names = new Map<string, string>()
  const events: SequenceEvent[] = []
  for (const line of lines) {
    const participant = /^(?:participant|actor) (\w+)(?: as (.*))?$/.exec(line)
    const block = /^(loop|alt|opt|else|par)\s*(.*)$/.exec(line)
    const message = /^(\w+)\s*(-{1,2})>{1,2}\s*(\w+)\s*:\s*(.*)$/.exec(line)
    const note = /^Note (?:over|left of|right of) ([^:]*):\s*(.*)$/i.exec(line)
    if (participant?.[1]) names.set(participant[1], label(participant[2] ?? participant[1]))
    else if (block) events.push({ kind: 'block', text: `${block[1]} ${label(block[2] ?? '')}`.trim() })
    else if (line === 'end') events.push({ kind: 'end' })
    else if (message?.[1] && message[3]) {
      for (const id of [message[1], message[3]]) if (!names.has(id)) names.set(id, id)
      events.push({ kind: 'message', from: message[1], to: message[3], text: label(message[4] ?? ''), isReply: message[2] === '--' })
    } else if (note?.[1]) events.push({ kind: 'note', over: note[1].split(',').map((id) => id.trim()), text: label(note[2] ?? '') })
  }
  return { kind: 'sequence', names, events }
}

function flow(lines: string[], isSideways: boolean): MermaidDiagram {
  const names = new Map<string, string>()
  const decisions = new Set<string>()
  const arrows: Arrow[] = []
  for (const line of lines) {
    for (const [, id, bracket, text] of line.matchAll(/(\w+)(\[|\{|\(\[?)([^\]})]+)(?:\]|\}|\]?\))/g)) {
      if (id && text) names.set(id, label(text))
      if (id && bracket === '{') decisions.add(id)
    }
    const bare = line.replaceAll(/(\w+)(?:\[[^\]]*\]|\{[^}]*\}|\([^)]*\))/g, '$1')
    const chain = bare.split(/\s*(?:--\s*([^->]+?)\s*)?(-->|-\.->)\s*(?:\|([^|]*)\|)?\s*/)
    for (let at = 0; at + 4 < chain.length; at += 4) {
      const [from, before, line_, after, to] = [chain[at]?.trim(), chain[at + 1], chain[at + 2], chain[at + 3], chain[at + 4]?.trim()]
      if (!from || !to) continue
      for (const id of [from, to]) if (!names.has(id)) names.set(id, id)
      arrows.push({ from, to, text: label(before ?? after ?? ''), isDotted: line_ === '-.->' })
    }
  }
  return { kind: 'flow', isSideways, names, decisions, arrows }
}

function gantt(lines: string[]): MermaidDiagram {
  const spans: Span[] = []
  let [title, section] = ['', '']
  for (const line of lines) {
    const head = /^(title|section) (.*)$/.exec(line)
    const span = /^(.*?)\s*:(?:\s*\w+,)*\s*(\d+),\s*(\d+)$/.exec(line)
    if (head?.[1] === 'title') title = label(head[2] ?? '')
    else if (head) section = label(head[2] ?? '')
    else if (span) spans.push({ text: label(span[1] ?? ''), section, from: Number(span[2]), to: Number(span[3]) })
  }
  return { kind: 'gantt', title, spans }
}

/** Steps of a diagram as text, the alternative for screen readers. */
export function stepsOf(diagram: MermaidDiagram): Step[] {
  if (diagram.kind === 'flow') {
    const name = (id: string): string => diagram.names.get(id) ?? id
    return diagram.arrows.map(({ from, to, text }) => ({ text: `${name(from)} → ${text ? `${text}: ` : ''}${name(to)}`, depth: 0 }))
  }
  if (diagram.kind === 'gantt') {
    const steps: Step[] = diagram.title ? [{ text: diagram.title, depth: 0 }] : []
    diagram.spans.forEach(({ text, section, from, to }, at) => {
      if (section !== diagram.spans[at - 1]?.section) steps.push({ text: section, depth: 0 })
      steps.push({ text: `${text}, from ${from} to ${to}`, depth: 1 })
    })
    return steps
  }
  let depth = 0
  return diagram.events.flatMap((event) => {
    if (event.kind === 'end') {
      depth = Math.max(0, depth - 1)
      return []
    }
    if (event.kind === 'block') return [{ text: event.text, depth: depth++ }]
    if (event.kind === 'note') return [{ text: event.text, depth }]
    const [from, to] = [diagram.names.get(event.from) ?? event.from, diagram.names.get(event.to) ?? event.to]
    return [{ text: `${from} → ${to}: ${event.text}`, depth }]
  })
}
