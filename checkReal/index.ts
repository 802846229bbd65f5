import { environmentWithFiles, loadConfig } from '../src/config.ts';
import { runTask } from '../src/lib/process.ts';
import { type Check, cleanUpAll, type Finding, LeftOut, makeChecks } from './checks.ts';
import { crmChecks } from './crm.ts';
import { messengerChecks } from './messenger.ts';
import { botCheck, mailCheck, modelCheck } from './others.ts';
import { paymentCheck } from './payments.ts';
import { openTerminal } from './terminal.ts';

/*
 * `npm run check-real`: what only the real services can show, as ten checks that a person with accounts makes in half an
 * hour, through the clients that the service uses. The variables of .env.example say which services; no database is
 * needed, and none is touched.
 */

/** What the service requires and these checks don't need. */
const UNUSED = {
  DATABASE_URL: 'postgres://unused@127.0.0.1/unused',
  APP_URL: 'http://127.0.0.1:3000',
  SESSION_SECRET: 'unused'.repeat(6),
  ENCRYPTION_KEY: Buffer.alloc(32).toString('base64'),
  MESSENGER_API_ID: '1',
  MESSENGER_API_HASH: 'unused',
  OWNER_EMAIL: 'unused@forenoon.example',
};

const say = (line: string) => void process.stdout.write(`${line}\n`);
const tell = ({ name, verdict, words }: Finding) => say(`${verdict}: ${name}: ${words}`);

await runTask('check-real', async () => {
  const given = environmentWithFiles();
  const config = loadConfig({ ...UNUSED, ...given, NODE_ENV: 'production' });
  const made: { what: string; undo: () => Promise<void> }[] = [];
  const cleanUp = (what: string, undo: () => Promise<void>) => void made.push({ what, undo });
  const terminal = openTerminal();
  const deps = { config, ask: terminal.ask, cleanUp, isConfigured: given.MESSENGER_API_ID !== undefined };
  const interrupted = new Promise<'interrupted'>(resolve => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve('interrupted'));
  });
  const { signIn, conversations, history, digest } = messengerChecks(deps);
  const { properties, note } = crmChecks(deps);
  const all = [signIn, conversations, history, properties, note, paymentCheck(deps), mailCheck(deps), botCheck(deps)];
  const checks = [...all, modelCheck(deps), digest].map(unless(() => isStopped));
  let isStopped = false;
  const findings: Finding[] = [];
  const checking = makeChecks(checks, finding => {
    if (!isStopped) tell(finding);
    findings.push(finding);
  });
  isStopped = (await Promise.race([checking, interrupted])) === 'interrupted';
  const left = await cleanUpAll(made);
  left.forEach(tell);
  const count = (verdict: Finding['verdict']) => findings.filter(finding => finding.verdict === verdict).length;
  const wrong = count('does not hold');
  say(`${count('holds')} hold, ${wrong} ${wrong === 1 ? 'does' : 'do'} not, ${count('left out')} left out`);
  process.exit(wrong + left.length > 0 || isStopped ? 1 : 0);
});

/** After Ctrl-C nothing further is begun. */
function unless(isStopped: () => boolean): (check: Check) => Check {
  return ({ name, run }) => ({ name, run: () => (isStopped() ? Promise.reject(new LeftOut('interrupted')) : run()) });
}
