/** Words that are read in a minute. */
const WORDS_PER_MINUTE = 220

/** Title, text without it, and reading time of a story in Markdown. */
export function readStory(markdown: string): { title: string; text: string; minutes: number } {
  const [, title = '', text = markdown] = /^# +(.+)\n([\s\S]*)$/.exec(markdown) ?? []
  return { title: title.trim(), text: text.trim(), minutes: Math.max(1, Math.round(markdown.split(/\s+/).length / WORDS_PER_MINUTE)) }
}
