import { useId, useState } from 'react'
import { Command } from './Command'
import styles from './Command.module.css'
import { filled, isPlain, placeholdersIn } from './placeholders'

type Props = { text: string; name: string; values?: Readonly<Record<string, string>> | undefined }

const NONE: Readonly<Record<string, string>> = {}

/** A command with a field for each variable that the reader has to set; `values` are known from the evidence. */
export function ShellCommand({ text, name, values = NONE }: Props) {
  const id = useId()
  const [typed, setTyped] = useState(NONE)
  const known = { ...values, ...typed }
  const placeholders = placeholdersIn(text)
  return (
    <div className={styles.fillable}>
      <Command text={placeholders.length > 0 ? filled(text, known) : text} name={name} />
      {placeholders.length > 0 && (
        <div className={styles.fields}>
          {placeholders.map((placeholder) => {
            const value = known[placeholder.name] ?? ''
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
