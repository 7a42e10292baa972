import { Notice } from '../../ui'

/** What each code of a refusal means for whoever came back from the provider, and what to do. */
const SENTENCES: Readonly<Record<string, (provider: string) => string>> = {
  DeniedByProvider: (provider) => `${provider} said no. Ask whoever runs it to let you use Casebook, or come in another way.`,
  LoginExpired: () => 'That way in was used already, took more than ten minutes, or began in another browser. Begin again here.',
  InvalidIdToken: (provider) => `What ${provider} sent does not prove who you are. Begin again; if it stays so, tell an admin: the audit log has it.`,
  AccountDisabled: () => 'An admin of this instance keeps your account out. Ask one to let you in again.',
  Unavailable: (provider) => `${provider} does not answer. Try again in a minute, or come in another way.`,
}

type Props = { code: string; provider: string }

/** Why nobody came in by the provider. */
export function Refusal({ code, provider }: Props) {
  const sentence = SENTENCES[code]?.(provider) ?? 'Begin again here.'
  return <Notice what="You are not signed in.">{sentence.charAt(0).toUpperCase() + sentence.slice(1)}</Notice>
}
