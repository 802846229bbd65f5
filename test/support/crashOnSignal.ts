/** Loaded before a process of the service: on SIGUSR2 a promise is rejected that nobody handles. */
process.on('SIGUSR2', () => void Promise.reject('nobody caught this'));
