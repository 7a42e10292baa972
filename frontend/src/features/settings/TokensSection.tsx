import { useState } from 'react'
import { type Token, type TokenScope, useCreateToken, useRevokeToken, useRotateToken, useServiceTokens, useTokens } from '../../api'
import { Ago, Button, Notice } from '../../ui'
import { Field } from './Field'
import { Once } from './Once'
import { ends } from './pages'
import styles from './settings.module.css'

const SCOPES: readonly { scope: TokenScope; says: string }[] = [
  { scope: 'read', says: 'read cases' },
  { scope: 'evidence', says: 'send evidence' },
  { scope: 'write', says: 'change cases' },
  { scope: 'admin', says: 'administer' },
]
const DAYS = 90

export function TokensSection({ isAdmin }: { isAdmin: boolean }) {
  const tokens = useTokens()
  const services = useServiceTokens(isAdmin)
  const failed = tokens.error ?? services.error
  return (
    <>
      <h1>Tokens</h1>
      <p className={styles.soft}>For programs that use the REST API. A token never does more than you may, and a revoked one is refused at once. <a href="/api-reference" target="_blank" rel="noreferrer">Every request, to read and to try</a></p>
      {failed && <Notice what="The tokens could not be read." retry={() => void tokens.refetch()}>{failed.message}</Notice>}
      <CreateToken />
      {tokens.data && <TokenTable tokens={tokens.data} isService={false} none="You have no tokens." />}
      {isAdmin && (
        <>
          <h2>Tokens of services</h2>
          <p className={styles.soft}>
            Nobody’s, so they stay when people leave: <code>casebook token create --name ci --service responder</code>
          </p>
          {services.data && <TokenTable tokens={services.data} isService none="No service has a token." />}
        </>
      )}
    </>
  )
}

function CreateToken() {
  const create = useCreateToken()
  const [name, setName] = useState('')
  const [scopes, setScopes] = useState<readonly TokenScope[]>(['read', 'evidence'])
  return (
    <>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault()
          create.mutate({ name, scopes: [...scopes], days: DAYS }, { onSuccess: () => setName('') })
        }}
      >
        <Field label="Name" required maxLength={100} placeholder="ci" value={name} onValue={setName} />
        <fieldset className={styles.choices} aria-label="What it may do">
          {SCOPES.map(({ scope, says }) => (
            <label key={scope}>
              <input
                type="checkbox"
                checked={scopes.includes(scope)}
                onChange={(event) => setScopes(event.target.checked ? [...scopes, scope] : scopes.filter((one) => one !== scope))}
              />{' '}
              {says}
            </label>
          ))}
        </fieldset>
        <Button type="submit" look="primary" disabled={create.isPending || name.trim() === '' || scopes.length === 0}>
          Make a token for {DAYS} days
        </Button>
      </form>
      {create.error && <Notice what="The token was not made.">{create.error.message}</Notice>}
      {create.data && <Once what={`The token ${create.data.token.name}.`} text={create.data.secret} />}
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
      {rotate.data && <Once what={`The successor of ${rotate.data.token.name}; the old one ends in a day.`} text={rotate.data.secret} />}
      <div className={styles.box}>
        <table className={styles.table}>
          <thead>
            <tr>
              <th scope="col">Name</th>
              <th scope="col">Begins with</th>
              <th scope="col">May</th>
              <th scope="col">Ends</th>
              <th scope="col">Last used</th>
              <th scope="col">Change</th>
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
                <td>{ends(token.expires_at)}</td>
                <td>{token.last_used_at ? <Ago at={token.last_used_at} /> : 'never'}</td>
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
