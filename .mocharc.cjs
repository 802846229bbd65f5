const { availableParallelism } = require('node:os');

module.exports = {
  extension: ['ts'],
  require: ['./test/support/setup.ts'],
  timeout: 180_000,
  parallel: true,
  // A file waits half of its time (for the database, a browser, a process, a delay of the product): two more than the cores keep them busy.
  jobs: availableParallelism() + 2,
};
