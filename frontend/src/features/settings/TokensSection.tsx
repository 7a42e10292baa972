import { useState } from 'react'
import { type Token, type TokenScope, useCreateToken, useRevokeToken, useRotateToken, useServiceTokens, useTokens } from '../../api'
import { Button, Notice, RelativeTime } from '../../ui'
import { Field } from './Field'
import { expiry } from './pages'
import { SecretReveal } from './SecretReveal'
import styles from './settings.module.css'

const SCOPES: readonly { scope: TokenScope; label: string }[] = [
  { scope: 'read', label: 'read cases' },
  { scope: 'evidence', label: 'send evidence' },
  { scope: 'write', label: 'change cases' },
  { scope: 'admin', label: 'administer the instance' },
  { scope: 'alerts', label: 'open cases by alerts' },
]
const MOST_DAYS = 3650

export function TokensSection({ isAdmin }: { isAdmin: boolean }) {
  const tokens = useTokens()
  const services = useServiceTokens(isAdmin)
  const failed = tokens.error ?? services.error
  return (
    <>
      <h1>Tokens</h1>
      <p className={styles.soft}>Tokens authenticate programs that use the REST API. A token never has more permissions than its owner; revoking it takes effect immediately. <a href="/api-reference" target="_blank" rel="noreferrer">API reference</a></p>
      {failed && <Notice what="The tokens could not be loaded." retry={() => void tokens.refetch()}>{failed.message}</Notice>}
      <CreateToken />
      {tokens.data && <TokenTable tokens={tokens.data} isService={false} none="No tokens." />}
      {isAdmin && (
        <>
          <h2>Service tokens</h2>
          <p className={styles.soft}>
            Not tied to a person, so they stay valid when people leave: <code>casebook token create --service responder --name ci --scope read --scope evidence --days 365</code>
          </p>
          {services.data && <TokenTable tokens={services.data} isService none="No service tokens." />}
        </>
      )}
    </>
  )
}

function CreateToken() {
  const create = useCreateToken()
  const [name, setName] = useState('')
  const [scopes, setScopes] = useState<readonly TokenScope[]>([])
  const [days, setDays] = useState('')
  return (
    <>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault()
          create.mutate({ name, scopes: [...scopes], days: Number(days) }, { onSuccess: () => setName('') })
        }}
      >
        <Field label="Name" required maxLength={100} placeholder="ci" value={name} onValue={setName} />
        <fieldset className={styles.choices} aria-label="Scopes">
          {SCOPES.map(({ scope, label }) => (
            <label key={scope}>
              <input
                type="checkbox"
                checked={scopes.includes(scope)}
                onChange={(event) => setScopes(event.target.checked ? [...scopes, scope] : scopes.filter((one) => one !== scope))}
              />{' '}
              {label}
            </label>
          ))}
        </fieldset>
        <Field label="Days until it expires" required type="number" min={1} max={MOST_DAYS} placeholder="90" value={days} onValue={setDays} />
        <Button type="submit" look="primary" disabled={create.isPending || name.trim() === '' || scopes.length === 0 || days === ''}>
          Create token
        </Button>
      </form>
      {create.error && <Notice what="The token was not created.">{create.error.message}</Notice>}
      {create.data && <SecretReveal label={`Token ${create.data.token.name}`} secret={create.data.secret} />}
    </>
  )
}

function TokenTable({ tokens, isService, none }: { tokens: readonly Token[]; isService: boolean; none: string }) {
  const revoke = useRevokeToken()
  const rotate = useRotateToken()
  if (tokens.length === 0) return <p className={styles.soft}>{none}</p>
  return (
    <>
      {revoke.error && <Notice what="The token was not revoked.">{revoke.error.message}</Notice>}
      {rotate.error && <Notice what="The token was not rotated.">{rotate.error.message}</Notice>}
      {rotate.data && <SecretReveal label={`New token ${rotate.data.token.name}`} note="The old token expires in one day." secret={rotate.data.secret} />}
      <div className={styles.box}>
        <table className={styles.table}>
          <thead>
            <tr>
              <th scope="col">Name</th>
              <th scope="col">Prefix</th>
              <th scope="col">Scopes</th>
              <th scope="col">Expires</th>
              <th scope="col">Last used</th>
              <th scope="col">Actions</th>
            </tr>
          </thead>
          <tbody>
            {tokens.map((token) => (
              <tr key={token.id}>
                <td className={styles.wide}>{token.name}</td>
                <td>
                  <code>{token.prefix}</code>
                </td>
                <td>{token.scopes.join(', ')}</td>
                <td>{expiry(token.expires_at)}</td>
                <td>{token.last_used_at ? <RelativeTime at={token.last_used_at} /> : 'never'}</td>
                <td className={styles.actions}>
                  <Button aria-label={`Rotate ${token.name}`} onClick={() => rotate.mutate({ id: token.id, isService })}>
                    Rotate
                  </Button>
                  <Button aria-label={`Revoke ${token.name}`} onClick={() => revoke.mutate({ id: token.id, isService })}>
                    Revoke
                  </Button>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  )
}
