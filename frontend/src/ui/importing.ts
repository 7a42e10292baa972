const DELAYS_MS = [500, 2_000, 5_000]

/** Wait for a delay; without a connection, until the browser is online. */
function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    if (navigator.onLine) setTimeout(resolve, ms)
    else window.addEventListener('online', () => resolve(), { once: true })
  })
}

/** Import a part of the application; a failed request is repeated, without a connection once it is back. */
export async function importWithRetry<Module>(load: () => Promise<Module>): Promise<Module> {
  for (const delay of DELAYS_MS) {
    try {
      return await load()
    } catch {
      await pause(delay)
    }
  }
  return load()
}
