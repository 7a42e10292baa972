import styles from './Brand.module.css'

export function Brand() {
  return (
    <span className={styles.brand}>
      <svg width="20" height="20" viewBox="0 0 32 32" aria-hidden="true">
        <rect width="32" height="32" rx="6" fill="#173b45" />
        <path d="M6 22h20v4H6z" fill="#f2efe6" />
        <path d="M6 16h13v4H6z" fill="#e0a458" />
        <path d="M10 10h8v4h-8z" fill="#e4572e" />
        <path d="M13 5h3v3h-3z" fill="#f2efe6" />
      </svg>
      <span className={styles.name}>Casebook</span>
    </span>
  )
}
