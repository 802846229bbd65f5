import { fileURLToPath } from 'node:url';
import { environmentWithFiles } from '../src/config.ts';
import { openOwnInstallation } from './ownInstallation.ts';
import { sentenceFrom } from './sentences.ts';
import { startDemo } from './startDemo.ts';
import { startOwn } from './startOwn.ts';
import { chooseMode, HELP, readFlags, readStartSettings } from './startSettings.ts';
import { startSetup } from './startSetup.ts';
import { listenForStop } from './stopping.ts';
import { createTerminal } from './terminal.ts';

/*
 * `npm start`: the self-hosted installation if it is set up, else the demo. If NODE_ENV is production, it serves with
 * what the environment says, or says what is missing: a platform that knows no other command starts this.
 */

const root = fileURLToPath(new URL('..', import.meta.url));
const mode = chooseMode(process.argv.slice(2), process.env, root);
if (mode === 'serve') await import('../src/serve.ts');

const terminal = createTerminal(process.stdout);
const { say } = terminal;
const stopping = listenForStop(say);
const starting = { terminal, stopping, root };

try {
  const args = process.argv.slice(2);
  const env = environmentWithFiles();
  if (readFlags(args).help) say(HELP);
  else if (mode === 'setup') await startSetup(openOwnInstallation(env, root, say), env, starting);
  else if (mode === 'own') await startOwn(openOwnInstallation(env, root, say), env, starting);
  else await startDemo(readStartSettings(args, env, root), env, starting);
} catch (error) {
  if (!stopping.signal.aborted) {
    say(sentenceFrom(error));
    process.exitCode = 1;
  }
}
process.exit();
