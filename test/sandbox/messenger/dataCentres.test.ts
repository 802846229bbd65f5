import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { expect } from 'chai';
import pino from 'pino';
import { addressesOf, listenAsDataCentres } from '../../../sandbox/messenger/dataCentres.ts';
import { messengerPort } from '../../support/messengerPort.ts';

describe('A machine the messenger sandbox listens on', () => {
  it('is one data centre for all where it has no more addresses, and says so', async () => {
    const lines: string[] = [];
    const log = pino({}, { write: line => void lines.push(line) });
    const served: number[] = [];
    const serve = (socket: Socket, id: number) => {
      served.push(id);
      socket.end();
    };
    const port = await messengerPort();
    const nobodysHost = (id: number) => `192.0.2.${id}`;
    const listening = await listenAsDataCentres(port, serve, { hostOf: nobodysHost, log });
    try {
      await once(connect(port, '127.0.0.1').resume(), 'close');
      expect(served).to.deep.equal([2]);
      const hosts = addressesOf(listening.dataCentres).map(({ id, host }) => [id, host]);
      expect(hosts).to.deep.equal([1, 2, 3, 4, 5].map(id => [id, '127.0.0.1']));
      expect(lines.join()).to.contain('one data centre');
    } finally {
      await listening.stop();
    }
  });

  it('is not used at all when the port is taken on one of its addresses', async () => {
    const port = await messengerPort();
    const other = createServer().listen(port, '127.0.0.4');
    await once(other, 'listening');
    const failure = await listenAsDataCentres(port, () => {}).catch((error: unknown) => error);
    expect(failure).to.include({ code: 'EADDRINUSE' });
    other.close();
    await once(other, 'close');
    const listening = await listenAsDataCentres(port, () => {});
    expect([...listening.dataCentres.keys()]).to.deep.equal([1, 2, 3, 4, 5]);
    await listening.stop();
  });
});
