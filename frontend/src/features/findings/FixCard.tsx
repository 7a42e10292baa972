import type { Fix } from '../../api'
import { ShellCommand } from '../../ui'
import styles from './findings.module.css'
import { changesNothing, STEP_LABELS, stepOf } from './fixStep'

/** When a change takes effect, by its scope. */
const EFFECTS: Readonly<Record<string, string>> = {
  runtime: 'takes effect at once',
  config: 'changes the configuration',
  redeploy: 'takes effect with the next deployment',
  reboot: 'needs a restart of the host',
}

type Props = {
  fix: Fix
  /** Values of the evidence for the variables of commands. */
  values?: Readonly<Record<string, string>> | undefined
  isFirst?: boolean
  /** Below a summary that has the title. */
  isUntitled?: boolean
}

/** A fix: command, risk, verification and undo. */
export function FixCard({ fix, values, isFirst = false, isUntitled = false }: Props) {
  const isRead = changesNothing(fix)
  const place = [!isRead && fix.scope && EFFECTS[fix.scope], fix.first_on && `first on ${fix.first_on}`].filter(Boolean).join(' · ')
  // Advice without a command has no risk of its own.
  const isHarmless = isRead && fix.risk === 'none'
  const rows: [string, string | null | undefined][] = [
    ['Endangers', fix.endangers],
    ['Risk', isHarmless ? (fix.run ? 'none: changes nothing' : '') : fix.risk],
    ['Unsafe if', fix.unsafe_if?.join('; ')],
    ['Undo', isRead || isCommand(fix.undo) ? '' : fix.undo],
    ['Verify', fix.verify],
    ['Source', fix.status?.replaceAll('UNVERIFIED', 'not verified').replaceAll('STORY-ONLY', 'from the story only')],
  ]
  return (
    <div className={styles.fix} data-first={isFirst || undefined}>
      {!isUntitled && <FixTitle fix={fix} />}
      {fix.run && <ShellCommand text={fix.run} name={fix.title} values={values} isFirst={isFirst} />}
      <dl className={styles.small}>
        {rows.map(([name, text]) =>
          text ? (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{text}</dd>
            </div>
          ) : null,
        )}
        {isCommand(fix.undo) && (
          <div>
            <dt>Undo</dt>
            <dd>
              <code>{fix.undo}</code>
            </dd>
          </div>
        )}
      </dl>
      {place && <p className={styles.place}>{place}</p>}
    </div>
  )
}

/** The title of a fix behind what it is: a look, a mitigation or a fix that lasts. */
export function FixTitle({ fix }: { fix: Fix }) {
  const step = stepOf(fix)
  return (
    <span className={styles.fixTitle}>
      {step && <span className={styles.step}>{STEP_LABELS[step]}</span>}
      {fix.title}
    </span>
  )
}

/** Whether an undo is a command and not a sentence. */
function isCommand(undo: string | null | undefined): boolean {
  return Boolean(undo && /[$>=]|^\w+ -|^\w+ \/|^(?:sysctl|systemctl|ethtool|mount|dmsetup|fsfreeze|tune2fs|kubectl|nft|ip) /.test(undo))
}
