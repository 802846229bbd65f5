import { expect } from 'chai';
import express from 'express';
import request from 'supertest';
import { requestLog } from '../../src/http/requestLog.ts';
import { createLog } from '../../src/lib/log.ts';

describe('The line of a request', () => {
  const lines: string[] = [];
  const log = createLog({ level: 'debug', name: 'test' }, { write: line => void lines.push(line) });
  const app = express()
    .use(requestLog(log))
    .use((_req, res) => void res.end());
  const pathOf = async (address: string): Promise<string> => {
    await request(app).get(address).expect(200);
    return JSON.parse(lines.at(-1) ?? '{}').req.path;
  };

  it('leaves out of the path what is as long as a token', async () => {
    const token = `${'e'.repeat(40)}.${'y'.repeat(60)}`;
    expect(await pathOf(`/mail/unsubscribe/${token}`)).to.equal('/mail/unsubscribe/…');
    expect(await pathOf(`/a/${token}/b`)).to.equal('/a/…/b');
  });

  it('leaves out the secret of a calendar', async () => {
    for (const path of ['/calendar/', '/CALENDAR/', '//calendar//']) {
      expect(await pathOf(`${path}hush.ics`)).to.equal(`${path}…`);
    }
    // A proxy that puts something in front, and a link that was copied twice.
    expect(await pathOf('/forenoon/calendar/hush.ics')).to.equal('/forenoon/calendar/…');
    expect(await pathOf('/calendar/hush.ics/calendar/hush.ics')).to.equal('/calendar/…/calendar/…');
  });
});
