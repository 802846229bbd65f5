import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import request from 'supertest';
import { type CrmSandbox, startCrmSandbox } from '../../../../sandbox/crm/server.ts';
import { type MailSandbox, startMailSandbox } from '../../../../sandbox/mail/server.ts';
import { type MessengerSandbox, startMessengerSandbox } from '../../../../sandbox/messenger/server.ts';
import { loadEndpoints, problemsWith } from '../../../../src/config.ts';
import { createServiceChecks } from '../../../../src/deps.ts';
import { createLog } from '../../../../src/lib/log.ts';
import { createSetupApp } from '../../../../src/setupApp.ts';
import { type AiSandbox, startAiSandbox } from '../../../support/ai/server.ts';
import { freePort } from '../../../support/freePort.ts';

/** Forms as a person fills them in, for the servers below. */
export const TELEGRAM = { apiId: '2814417', apiHash: 'a1b2c3d4'.repeat(4) };
export const CRM = { accessKey: 'pat-eu1-0f7e2c3b-0000-4000-8000-000000000001' };
const APP = { clientId: 'app', clientSecret: 'very-secret' };
export const UNKNOWN_HASH = '0'.repeat(32);

export type OpenSetup = {
  url: string;
  token: string;
  settingsFile: string;
  said: string[];
  isFinished: () => boolean;
  messenger: MessengerSandbox;
  crm: CrmSandbox;
  ai: AiSandbox;
  mail: MailSandbox;
  /** What the page is told of this machine. */
  machine: { freeDiskBytes: number | undefined };
  /** Another page over the same settings, as a second `--setup`. */
  again(): Promise<{ url: string; token: string }>;
  stop(): Promise<void>;
};

/** The real setup page, whose checks ask local servers. */
export async function openSetup(): Promise<OpenSetup> {
  const folder = mkdtempSync(join(tmpdir(), 'forenoon-setup-'));
  const settingsFile = join(folder, 'settings.env');
  const stateDir = (name: string) => join(folder, name);
  const messenger = await startMessengerSandbox({
    ...{ port: await freePort(), stateDir: stateDir('messenger'), worlds: [] },
  });
  const crm = await startCrmSandbox({ port: 0, stateDir: stateDir('crm'), contacts: [], keys: [CRM.accessKey], ...APP });
  const mail = await startMailSandbox({ port: 0, stateDir: stateDir('mail') });
  const ai = await startAiSandbox();
  const endpoints = loadEndpoints({
    MESSENGER_SERVER: `${messenger.host}:${messenger.port}`,
    MESSENGER_SERVER_KEY: Buffer.from(messenger.publicKeyPem).toString('base64'),
    CRM_API_URL: crm.url,
    CRM_APP_URL: crm.url,
  });
  // Nothing that happens to listen on this machine may be asked.
  const places = [
    { name: 'Ollama', apiUrl: ai.url },
    { name: 'LM Studio', apiUrl: 'http://127.0.0.1:1/v1' },
  ];
  const machine = { platform: 'linux' as NodeJS.Platform, memoryBytes: 16e9, freeDiskBytes: 60e9 as number | undefined };
  const around = {
    ...{ places, patienceMs: 30_000, silenceMs: 2000 },
    machine: { ...machine, freeDiskBytes: async () => machine.freeDiskBytes },
  };
  const stops: (() => Promise<void>)[] = [];
  const said: string[] = [];
  let isFinished = false;
  const open = async (token: string) => {
    const port = await freePort();
    const server = createServer(
      createSetupApp({
        ...{ settingsFile, port, servicePort: 3000, token, problemsWith: settings => problemsWith(settings, {}) },
        ...{ checks: createServiceChecks(endpoints, around), say: (line: string) => void said.push(line) },
        finish: () => {
          isFinished = true;
        },
        log: createLog({ level: 'silent', name: 'setup' }),
      }),
    ).listen(port, '127.0.0.1');
    await once(server, 'listening');
    stops.push(async () => {
      server.closeAllConnections();
      await new Promise(resolve => server.close(resolve));
    });
    return { url: `http://127.0.0.1:${port}`, token };
  };
  return {
    ...(await open('first-token')),
    ...{ settingsFile, said, isFinished: () => isFinished, messenger, crm, ai, mail, machine },
    again: () => open('second-token'),
    async stop() {
      for (const stop of stops) await stop();
      await Promise.all([messenger.stop(), crm.stop(), mail.stop(), ai.stop()]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export type Agent = ReturnType<typeof request.agent>;

/** The browser that the terminal's address was opened in. */
export async function admitted({ url, token }: { url: string; token: string }): Promise<Agent> {
  const agent = request.agent(url);
  await agent.get('/setup').query({ token }).expect(303).expect('Location', '/setup');
  return agent;
}

export const save = (agent: Agent, step: string, fields: object) => agent.post(`/setup/${step}`).type('form').send(fields);
export const check = (agent: Agent, step: string, fields: object) =>
  agent.post(`/setup/${step}/check`).type('form').send(fields);
