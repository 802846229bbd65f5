import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { until } from '../../support/until.ts';
import { dialog, message, person, world } from '../../support/worlds.ts';
import { errorOf } from './errorOf.ts';
import { clientOf, type Sandbox, signedIn, startMessenger } from './messenger.ts';

const everything = { afterId: 0, untilId: 1000, limit: 50 };

describe('A connection to the messenger', () => {
  let messenger: Awaited<ReturnType<typeof startMessenger>>;
  let gate: Awaited<ReturnType<typeof openGate>>;
  let session: string;

  before(async () => {
    const partner = person(11);
    messenger = await startMessenger(
      world({ users: [partner], dialogs: [dialog('user:11', [message(1), message(2, { from: 11 })])] }),
    );
    gate = await openGate(messenger.sandbox);
  });

  after(async () => {
    gate.close();
    await messenger.stop();
  });

  beforeEach(async () => {
    messenger.sandbox.faults.clear();
    messenger.reported.length = 0;
    session = await signedIn(messenger.sandbox, messenger.client);
    gate.dials = 0;
  });

  const through = (timing: Parameters<typeof clientOf>[2] = {}) =>
    clientOf({ ...gate.address, publicKeyPem: messenger.sandbox.publicKeyPem }, messenger.reported, timing);
  const readOnce = (client = through()) =>
    client.withConnection(session, async reader => {
      for await (const page of reader.dialogs('main')) {
        const found = page.dialogs.find(candidate => candidate.unreadable === null);
        if (found) return reader.history(found.peer, everything);
      }
      throw new Error('The account has no conversation');
    });

  it('reports an unanswered call', async () => {
    messenger.sandbox.faults.next({ on: 'messages.GetHistory', isSilent: true });
    expect(await errorOf(readOnce(through({ callTimeoutMs: 500 })))).to.include({ kind: 'temporary', code: 'TIMEOUT' });
  });

  it('reports a broken connection and does not reconnect', async () => {
    messenger.sandbox.faults.next({ on: 'messages.GetHistory', isSilent: true });
    messenger.sandbox.resetCalls();
    const work = errorOf(readOnce());
    await until(() => messenger.sandbox.calls()['messages.GetHistory'] === 1);
    messenger.sandbox.faults.dropConnections();
    expect(await work).to.include({ kind: 'temporary', code: 'UNREACHABLE' });
    await pause(1500);
    expect(gate.dials).to.equal(1);
    expect(gate.open()).to.equal(0);
  });

  it('reports an answer that the library cannot read without its words, and reads the next one', async () => {
    messenger.sandbox.faults.next({ on: 'messages.GetHistory', isGarbled: true });
    expect(await errorOf(readOnce())).to.include({ kind: 'permanent', code: 'PARSER_POISONED' });
    expect(messenger.reported.join())
      .to.match(/^PARSER_POISONED/)
      .and.not.match(/unknown!/);
    expect(await readOnce()).to.have.length(2);
  });

  describe('that is aborted', () => {
    it('is closed at once and rejects with the reason', async () => {
      messenger.sandbox.faults.next({ on: 'contacts.GetContacts', isSilent: true });
      const reason = new Error('The person disconnected');
      const controller = new AbortController();
      setTimeout(() => controller.abort(reason), 200);
      const started = Date.now();
      const work = through().withConnection(session, reader => Array.fromAsync(reader.dialogs('main')), controller);
      expect(await errorOf(work)).to.equal(reason);
      expect(Date.now() - started).to.be.below(5000);
      await until(() => gate.open() === 0);
    });
  });
});

/** A way to the server that counts who goes through. */
async function openGate(server: Pick<Sandbox, 'host' | 'port'>) {
  const pass = (socket: Socket) => {
    state.dials += 1;
    const inner = connect(server.port, server.host);
    for (const [near, far] of [
      [socket, inner],
      [inner, socket],
    ] as const) {
      near.pipe(far);
      near.on('error', () => far.destroy()).on('close', () => far.destroy());
    }
    open.add(socket);
    socket.on('close', () => open.delete(socket));
  };
  const open = new Set<unknown>();
  const gate = createServer(pass).listen(0, server.host);
  await once(gate, 'listening');
  const { port } = gate.address() as AddressInfo;
  const address = { host: server.host, port };
  const state = { dials: 0, address, open: () => open.size, close: () => gate.close() };
  return state;
}
