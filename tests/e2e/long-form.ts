/** Whether tests take all of their inputs, as `make sweeps` has them; otherwise some take a part. */
export const IS_LONG = process.env.CASEBOOK_TESTS === 'long'
