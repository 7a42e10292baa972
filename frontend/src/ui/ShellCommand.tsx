import { useId, useState } from 'react'
import { Command } from './Command'
import styles from './Command.module.css'
import { filled, isPlain, placeholdersIn } from './placeholders'

type Props = { text: string; name: string; values?: Readonly<Record<string, string>> | undefined; isFirst?: boolean }

const NONE: Readonly<Record<string, string>> = {}

/** A command with `values` of the evidence in place, and a field for each other variable that the reader has to set. */
export function ShellCommand({ text, name, values = NONE, isFirst = false }: Props) {
  const id = useId()
  const [typed, setTyped] = useState(NONE)
  const placeholders = placeholdersIn(text)
  const open = placeholders.filter(({ name: variable }) => !values[variable])
  return (
    <div className={styles.fillable}>
      <Command text={placeholders.length > 0 ? filled(text, { ...typed, ...values }, values) : text} name={name} isFirst={isFirst} />
      {open.length > 0 && (
        <div className={styles.fields}>
          {open.map((placeholder) => {
            const value = typed[placeholder.name] ?? ''
            return (
              <label key={placeholder.name} htmlFor={`${id}-${placeholder.name}`}>
                <span>{placeholder.name}</span>
                <input
                  id={`${id}-${placeholder.name}`}
                  value={value}
                  placeholder={placeholder.meaning}
                  aria-invalid={value !== '' && !isPlain(value)}
                  autoComplete="off"
                  spellCheck={false}
                  onChange={(event) => setTyped({ ...typed, [placeholder.name]: event.target.value.trim() })}
                />
              </label>
            )
          })}
        </div>
      )}
    </div>
  )
}
