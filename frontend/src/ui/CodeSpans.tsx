import { Unbroken } from './Unbroken'

/** A sentence of the server with its commands, which stand between backticks, as code. */
export function CodeSpans({ text }: { text: string }) {
  return text.split('`').map((part, at) => (at % 2 ? <code key={at}>{part}</code> : <Unbroken key={at} text={part} />))
}
