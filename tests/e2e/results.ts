/** Where this run leaves its session, files and traces: each shard of several has a place of its own. */
export const SHARD = process.env.CASEBOOK_E2E_SHARD ?? '1/1'
export const RESULTS = `test-results/${SHARD.replace('/', '-of-')}`
export const SESSION = `${RESULTS}-session.json`
