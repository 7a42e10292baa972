export type StreamEvent = { id: string; data: string }

/**
 * Parse server-sent events; `data` must be a single line.
 *
 * Source: https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation
 */
export async function* streamEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<StreamEvent> {
  const reader = body.pipeThrough(new TextDecoderStream() as unknown as TransformStream<Uint8Array, string>).getReader()
  let buffered = ''
  let id = ''
  let data = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    const lines = (buffered + value).split(/\r\n|\n/)
    buffered = lines.pop() ?? ''
    for (const line of lines) {
      if (line.startsWith('id:')) id = line.slice(3).trim()
      else if (line.startsWith('data:')) data = line.slice(5).trim()
      else if (line === '') {
        if (id) yield { id, data }
        id = data = ''
      }
    }
  }
}
