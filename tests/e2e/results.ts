/** Output paths of this run; each shard has its own. */
export const SHARD = process.env.CASEBOOK_E2E_SHARD ?? '1/1'
export const RESULTS = `test-results/${SHARD.replace('/', '-of-')}`
export const SESSION = `${RESULTS}-session.json`
export const REPORT = `../../var/test/browser-${SHARD.replace('/', '-of-')}.xml`
