/** Preloaded into a process of the service: SIGUSR2 causes an unhandled rejection. */
process.on('SIGUSR2', () => void Promise.reject('nobody caught this'));
