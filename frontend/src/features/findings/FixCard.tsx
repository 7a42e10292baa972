import type { Fix, FixOutcome } from '../../api'
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
  outcomes?: readonly FixOutcome[]
  isFirst?: boolean
  /** Below a summary that has the title. */
  isUntitled?: boolean
}

/** A fix: command, risk, verification and undo. */
export function FixCard({ fix, values, outcomes = [], isFirst = false, isUntitled = false }: Props) {
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
      {!isUntitled && <FixTitle fix={fix} outcomes={outcomes} />}
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

/** How often a fix helped in closed cases whose recordings compare; empty without one. */
export function helpedText(fix: string, outcomes: readonly FixOutcome[]): string {
  const own = outcomes.find((one) => one.fix.toLowerCase() === fix.toLowerCase())
  const compared = own ? own.successes + own.failures : 0
  return own && compared > 0 ? `helped ${own.successes} of ${compared}` : ''
}

/** The title of a fix behind what it is: a look, a mitigation or a fix that lasts. */
export function FixTitle({ fix, outcomes = [] }: { fix: Fix; outcomes?: readonly FixOutcome[] }) {
  const helped = helpedText(fix.title, outcomes)
  const step = stepOf(fix)
  return (
    <span className={styles.fixTitle}>
      {step && <span className={styles.step}>{STEP_LABELS[step]}</span>}
      {fix.title}
      {helped && <span className={styles.helped}>{helped}</span>}
    </span>
  )
}

/** Whether an undo is a command and not a sentence. */
function isCommand(undo: string | null | undefined): boolean {
  return Boolean(undo && /[$>=]|^\w+ -|^\w+ \/|^(?:sysctl|systemctl|ethtool|mount|dmsetup|fsfreeze|tune2fs|kubectl|nft|ip) /.test(undo))
}
