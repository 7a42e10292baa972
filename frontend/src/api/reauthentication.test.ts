import { describe, expect, it } from 'vitest'
import { Problem } from './problem'
import { answerConfirmation, withConfirmation } from './reauthentication'

const refused = () => new Problem('Confirm your password.', 403, 'ReauthenticationNeeded')

/** An action that is refused `times` times, then done. */
function action(times: number) {
  let calls = 0
  return {
    run: () => (++calls > times ? Promise.resolve(`done after ${calls}`) : Promise.reject(refused())),
    calls: () => calls,
  }
}

describe('withConfirmation', () => {
  it('does nothing else when the action succeeds', async () => {
    const one = action(0)
    await expect(withConfirmation(one.run)).resolves.toBe('done after 1')
  })

  it('repeats every refused action once confirmed', async () => {
    const [one, two] = [action(1), action(1)]
    const both = Promise.all([withConfirmation(one.run), withConfirmation(two.run)])
    await Promise.resolve().then(() => Promise.resolve())
    answerConfirmation(true)
    await expect(both).resolves.toEqual(['done after 2', 'done after 2'])
  })

  it('fails with the refusal when cancelled', async () => {
    const one = action(1)
    const result = withConfirmation(one.run)
    await Promise.resolve().then(() => Promise.resolve())
    answerConfirmation(false)
    await expect(result).rejects.toThrow('Confirm your password.')
    expect(one.calls()).toBe(1)
  })

  it('passes other errors on without asking', async () => {
    const other = new Problem('There is no token.', 404, 'NotFound')
    await expect(withConfirmation(() => Promise.reject(other))).rejects.toBe(other)
  })
})
