import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { StartError } from '../src/lib/errors.ts';
import { type Browser, openBrowser } from './browser.ts';

export type DemoUser = {
  email: string;
  /** How they sign in to the messenger; the code is read once it has been sent. */
  phone: string;
  password: string | null;
  newestCode: () => string | undefined;
  /** IANA name. */
  timezone: string;
};

/** The CRM whose consent page is answered: its accounts. */
export type DemoCrm = { portals(): { id: string; name: string }[] };

export type Progress = { say(line: string): void; progress(label: string, percent: number): void };

const POLL_MS = 400;
const SERVICE_START_MS = 60_000;
const CODE_ARRIVAL_MS = 10_000;
/** In a row, while a sync is waited for: a database that is busy answers late, and the service with 503. */
const MAX_FAILED_POLLS = 50;
/** The stages of a sync that read from the messenger. */
const READING = ['connect', 'fetch'];
/** A machine that is very busy may lose the connection in the middle of a sync. */
const MAX_SYNCS = 3;
/** The errors of a sync whose account must be connected again, for example after its sandbox state was removed. */
const NOT_CONNECTED = ['MESSENGER_NOT_CONNECTED', 'SESSION_EXPIRED'];

const step = z.object({ needs2FA: z.boolean().optional() });
const jobResult = z.object({
  dialogsProcessed: z.number(),
  digestsCreated: z.number(),
  errors: z.array(
    z.object({
      stage: z.string(),
      code: z.string(),
      message: z.string(),
      peerName: z.string().nullish(),
      retryable: z.boolean(),
    }),
  ),
});
const jobStatus = z.object({
  state: z.enum(['waiting', 'active', 'completed', 'failed', 'not_found']),
  progress: z.number(),
  result: jobResult,
});
const settings = z.object({ config: z.object({ syncTime: z.string(), timezone: z.string() }) });
export type SyncOutcome = z.infer<typeof jobResult>;

export type MainJob = {
  appUrl: string;
  user: DemoUser;
  crm: DemoCrm | undefined;
  /** Whether emails stay on this machine. */
  hasMailSandbox: boolean;
  show: Progress;
  signal: AbortSignal;
};

/**
 * Does the main job for a demo user as a person would: sign in, connect messenger and CRM unless connected, choose
 * the time, sync. Works over HTTP, so that what it shows is what everybody gets. Throws {@link StartError} with the step that failed.
 */
export async function doMainJob({ appUrl, user, crm, hasMailSandbox, show, signal }: MainJob): Promise<SyncOutcome> {
  const browser = openBrowser(appUrl, signal);
  await untilItAnswers(browser, signal);
  show.say(`Signing in as ${user.email}`);
  await browser.submit('/api/auth/callback/dev-credentials', { email: user.email, callbackUrl: '/' });
  if (!(await isConnected(browser))) await connect(browser, user, show, signal);
  if (crm && !(await isCrmConnected(browser))) await connectCrm(browser, crm, show, signal);
  await chooseMorning(browser, user, hasMailSandbox);
  for (let tried = 1; ; tried++) {
    const outcome = await sync(browser, show, signal);
    const isLost = outcome.errors.some(({ code }) => NOT_CONNECTED.includes(code));
    const isIncomplete = outcome.errors.some(({ stage, retryable }) => READING.includes(stage) && retryable);
    if (tried === MAX_SYNCS || !(isLost || isIncomplete)) return outcome;
    if (isLost) await connect(browser, user, show, signal);
  }
}

async function untilItAnswers(browser: Browser, signal: AbortSignal): Promise<void> {
  const end = Date.now() + SERVICE_START_MS;
  while (!(await browser.answers('/readyz'))) {
    if (Date.now() > end) throw new StartError('the service did not answer within a minute');
    await sleep(POLL_MS, undefined, { signal });
  }
}

async function isConnected(browser: Browser): Promise<boolean> {
  const { dialogs } = await browser.get('/api/messenger/dialogs', z.object({ dialogs: z.array(z.unknown()) }));
  return dialogs.length > 0;
}

async function connect(browser: Browser, user: DemoUser, show: Progress, signal: AbortSignal): Promise<void> {
  show.say(`Connecting the Telegram account ${user.phone}`);
  const before = user.newestCode();
  const { authToken } = await browser.post(
    '/api/messenger/connect',
    { phone: user.phone },
    z.object({ authToken: z.string() }),
  );
  const code = await arrivedCode(user, before, signal);
  const verified = await browser.post('/api/messenger/verify', { authToken, code }, step);
  if (!verified.needs2FA) return;
  if (user.password === null) throw new StartError('the account asks for a password and has none');
  await browser.post('/api/messenger/verify-2fa', { authToken, password: user.password }, step);
}

/** Contact suggestions work only with a connected CRM. */
async function isCrmConnected(browser: Browser): Promise<boolean> {
  return await browser.accepts('/api/crm/contacts/suggest?name=Forenoon%20Demo');
}

/** Goes to the CRM's consent page, clicks Allow, and returns. */
async function connectCrm(browser: Browser, crm: DemoCrm, show: Progress, signal: AbortSignal): Promise<void> {
  const [account] = crm.portals();
  show.say(`Connecting the CRM of ${account?.name}`);
  const consent = await browser.follow('/api/crm/connect');
  const there = openBrowser(consent.origin, signal);
  const answer = { ...Object.fromEntries(consent.searchParams), account: account?.id ?? '', decision: 'allow' };
  const back = await there.submit(consent.pathname, answer);
  await browser.follow(`${back.pathname}${back.search}`);
  if (!(await isCrmConnected(browser))) throw new StartError('the CRM did not become connected');
}

/** What onboarding proposes, unless a time was chosen already. */
async function chooseMorning(browser: Browser, { timezone }: DemoUser, hasMailSandbox: boolean): Promise<void> {
  const { config } = await browser.get('/api/settings', settings);
  if (config.syncTime !== '18:00' || config.timezone !== 'UTC') return;
  await browser.post('/api/settings', { syncTime: '07:00', timezone }, z.unknown());
  if (hasMailSandbox) await browser.submit('/settings/mail', { mailDigests: 'ALWAYS' });
}

async function arrivedCode(user: DemoUser, before: string | undefined, signal: AbortSignal): Promise<string> {
  const end = Date.now() + CODE_ARRIVAL_MS;
  for (;;) {
    const code = user.newestCode();
    if (code !== undefined && (code !== before || Date.now() > end)) return code;
    if (Date.now() > end) throw new StartError('the login code did not arrive');
    await sleep(50, undefined, { signal });
  }
}

async function sync(browser: Browser, show: Progress, signal: AbortSignal): Promise<SyncOutcome> {
  const { jobId } = await browser.post('/api/sync/trigger', {}, z.object({ jobId: z.string() }));
  const path = `/api/sync/status?jobId=${encodeURIComponent(jobId)}`;
  for (let failures = 0; ; await sleep(POLL_MS, undefined, { signal })) {
    const job = await browser.get(path, jobStatus).catch(error => {
      failures += 1;
      if (failures > MAX_FAILED_POLLS) throw error;
    });
    if (!job) continue;
    failures = 0;
    show.progress('Reading conversations', Math.round(job.progress));
    if (job.state === 'completed') return job.result;
    if (job.state === 'failed' || job.state === 'not_found') return failed(job.result);
  }
}

/** A job that failed because the account is not connected can be repeated after connecting; any other failure can't. */
function failed(result: SyncOutcome): SyncOutcome {
  const [first] = result.errors;
  if (first && NOT_CONNECTED.includes(first.code)) return result;
  throw new StartError(`the sync failed${first ? `: ${first.message}` : ''}`);
}
