const { availableParallelism } = require('node:os');

module.exports = {
  extension: ['ts'],
  require: ['./test/support/setup.ts'],
  timeout: 60_000,
  parallel: true,
  // Half of the time a file waits: for the database, a browser, a process it started, or a time the product waits.
  jobs: 2 * availableParallelism(),
};
