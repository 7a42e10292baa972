import styles from './Unbroken.module.css'

const POINTER = /(\S*->\S*)/

/** A sentence whose names such as `wb->list_lock` are not broken behind their hyphen. */
export function Unbroken({ text }: { text: string }) {
  if (!text.includes('->')) return text
  return text.split(POINTER).map((part, at) =>
    part.includes('->') ? (
      <span key={`${at}:${part}`} className={styles.name}>
        {part}
      </span>
    ) : (
      part
    ),
  )
}
