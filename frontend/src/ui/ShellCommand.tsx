import { useId, useState } from 'react'
import { Command } from './Command'
import styles from './Command.module.css'
import { filled, isPlain, placeholdersIn } from './placeholders'
import { toFile, writesItself } from './toFile'

type Props = {
  text: string
  name: string
  values?: Readonly<Record<string, string>> | undefined
  isFirst?: boolean
  /** The file for the output of a capture. */
  file?: string
}

const NONE: Readonly<Record<string, string>> = {}

/** A command with `values` of the evidence in place, and a field for each other variable that the reader has to set; of a capture, with the file for its output. */
export function ShellCommand({ text, name, values = NONE, isFirst = false, file }: Props) {
  const id = useId()
  const [typed, setTyped] = useState(NONE)
  const placeholders = placeholdersIn(text)
  const open = placeholders.filter(({ name: variable }) => !values[variable])
  const complete = placeholders.length > 0 ? filled(text, { ...typed, ...values }, values) : text
  // What is missing is said on the screen, not in the file.
  const isReady = open.every(({ name: variable }) => isPlain(typed[variable] ?? ''))
  const hasFile = file !== undefined && isReady && !writesItself(complete)
  return (
    <div className={styles.fillable}>
      <Command text={hasFile ? toFile(complete, file) : complete} name={name} isFirst={isFirst} />
      {hasFile && (
        <p className={styles.target}>
          Run as root, then add <code>{file}</code> to this case.
        </p>
      )}
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
