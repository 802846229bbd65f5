import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { dialog, message, person, world } from '../../support/worlds.ts';
import { type Sandbox, signedIn, startMessenger } from './messenger.ts';

const run = promisify(execFile);

describe('An answer the library cannot read', () => {
  let messenger: Awaited<ReturnType<typeof startMessenger>>;
  let session: string;

  before(async () => {
    const talk = [message(1, { text: 'One' }), message(2, { from: 11, text: 'Two' })];
    messenger = await startMessenger(world({ users: [person(11)], dialogs: [dialog('user:11', talk)] }));
    session = await signedIn(messenger.sandbox, messenger.client);
  });
  afterEach(() => messenger.sandbox.faults.clear());
  after(() => messenger.stop());

  for (const method of ['messages.GetHistory', 'messages.GetDialogs', 'contacts.GetContacts']) {
    it(`is reported as such, and does not affect the next one (${method})`, async () => {
      messenger.sandbox.faults.next({ on: method, times: 2, isGarbled: true });
      const { outcomes, reported } = await readInProcess(messenger.sandbox, session, 4);
      const unreadable = 'permanent PARSER_POISONED';
      expect(outcomes).to.deep.equal([unreadable, unreadable, 'One, Two', 'One, Two']);
      expect(reported).to.have.length(2);
      expect(reported.join())
        .to.match(/PARSER_POISONED/)
        .and.not.match(/One|Two|unknown!/);
    });
  }
});

/** What reading the first conversation comes to, that often, each time over a connection of its own in a process of its own. */
async function readInProcess(
  server: Sandbox,
  session: string,
  times: number,
): Promise<{ outcomes: string[]; reported: string[] }> {
  const { host, port, publicKeyPem } = server;
  const options = { apiId: 1, apiHash: 'hash', server: { host, port, publicKeyPem } };
  const script = `
    import { createTelegramClient } from './src/clients/messenger/telegram.ts';
    const reported = [];
    const report = ({ code, message }) => reported.push(code + ' ' + message);
    const client = createTelegramClient({ ...${JSON.stringify(options)}, report });
    const read = async reader => {
      const dialogs = (await Array.fromAsync(reader.dialogs('main'))).flatMap(page => page.dialogs);
      const { peer } = dialogs.find(each => each.unreadable === null);
      const messages = await reader.history(peer, { afterId: 0, untilId: 1000, limit: 50 });
      return messages.map(each => each.text).join(', ');
    };
    const outcomes = [];
    for (let times = 0; times < ${times}; times += 1) {
      const reading = client.withConnection(${JSON.stringify(session)}, read);
      outcomes.push(await reading.catch(error => error.kind + ' ' + error.code));
    }
    process.stdout.write(JSON.stringify({ outcomes, reported }));`;
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', script]);
  return JSON.parse(stdout);
}
