const { enableCompileCache } = require('node:module');
const { availableParallelism } = require('node:os');
const { join } = require('node:path');

// Shared among mocha's own process, its workers and the processes that tests start.
process.env.NODE_COMPILE_CACHE ??= join(__dirname, 'node_modules/.cache/compile');
enableCompileCache(process.env.NODE_COMPILE_CACHE);

module.exports = {
  extension: ['ts'],
  require: ['./test/support/setup.ts'],
  timeout: 180_000,
  parallel: true,
  // A file waits half of its time (for the database, a browser, a process, a delay of the product): two more than the cores keep them busy.
  jobs: availableParallelism() + 2,
};
