import { type InputHTMLAttributes, useId } from 'react'
import styles from './settings.module.css'

type Props = Omit<InputHTMLAttributes<HTMLInputElement>, 'onChange' | 'value'> & { label: string; value: string; onValue: (value: string) => void }

export function Field({ label, value, onValue, ...rest }: Props) {
  const id = useId()
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      <input id={id} value={value} onChange={(event) => onValue(event.target.value)} {...rest} />
    </div>
  )
}
