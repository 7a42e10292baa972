import type { ButtonHTMLAttributes } from 'react'
import styles from './controls.module.css'

type Props = ButtonHTMLAttributes<HTMLButtonElement> & { look?: 'plain' | 'primary' | 'quiet' }

export function Button({ look = 'plain', className, ...rest }: Props) {
  return (
    <button
      type="button"
      className={[styles.button, className].filter(Boolean).join(' ')}
      data-primary={look === 'primary' || undefined}
      data-quiet={look === 'quiet' || undefined}
      {...rest}
    />
  )
}
