import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { z } from 'zod';
import {
  allGone,
  type BareFolder,
  type BareMachine,
  bareFolder,
  childrenOf,
  postmasterPid,
  READY,
} from './support/bareMachine.ts';

const codesOnPage = z.object({ accounts: z.array(z.object({ codes: z.array(z.object({ code: z.string() })) })) });

describe('npm start on a bare machine', () => {
  let bare: BareFolder;
  let machine: BareMachine;

  before(async () => {
    bare = await bareFolder();
  });
  after(() => bare.remove());

  it('starts everything, does the main job for a demo user and reports that it is ready', async () => {
    machine = bare.start();
    const [, digests, appUrl, email, pageUrl] = await machine.says(READY);
    expect(Number(digests)).to.be.greaterThan(20);
    expect(email).to.equal('lena@forenoon.test');
    expect(appUrl).to.equal(`http://127.0.0.1:${bare.env.PORT}`);
    expect((await fetch(`${appUrl}/signin`)).status).to.equal(200);
    const page = await fetch(`${pageUrl}/state`);
    expect(codesOnPage.parse(await page.json()).accounts).to.have.length(2);
    const crm = await fetch(`http://127.0.0.1:${bare.env.SANDBOX_CRM_PORT}`);
    expect(await crm.text()).to.include('Farid Nazari');
    expect(machine.output()).to.include('Connecting the CRM of nordkelvin.example');
    const mails = await fetch(`http://127.0.0.1:${bare.env.SANDBOX_MAIL_PORT}`);
    expect(await mails.text()).to.include('Mail sandbox');
    const firstPage = await fetch(`${appUrl}/signin`).then(answer => answer.text());
    expect(firstPage).to.include('Send me a sign-in link').and.include(`href="${pageUrl}/own"`);
  });

  it("runs exactly the Procfile's web and worker", () => {
    const procfile = readFileSync(new URL('../Procfile', import.meta.url), 'utf8').split('\n');
    const wanted = procfile.filter(line => /^(web|worker):/.test(line)).map(line => line.replace(/^\w+: /, ''));
    expect(childrenOf(machine.child.pid ?? 0).map(child => child.command)).to.have.members(wanted);
  });

  it('keeps what a person wrote and login codes out of the logs', () => {
    const logs = readdirSync(join(bare.dataDir, 'logs')).map(name => readFileSync(join(bare.dataDir, 'logs', name), 'utf8'));
    const written = [...logs, readFileSync(join(bare.dataDir, 'postgres', 'server.log'), 'utf8')].join('\n');
    expect(written).to.include('"process":"web"').and.include('"process":"worker"');
    expect(written).not.to.match(/777000|login code|forenoon-demo/i);
  });

  it('leaves nothing running after Ctrl-C', async () => {
    const everything = childrenOf(machine.child.pid ?? 0).map(child => child.pid);
    machine.child.kill('SIGINT');
    expect(await machine.ends()).to.equal(0);
    expect(await allGone(everything, 0)).to.equal(true);
    expect(postmasterPid(bare.dataDir)).to.equal(undefined);
  });
});
