import { expect } from 'chai';
import express, { type NextFunction, type Request, type Response } from 'express';
import request from 'supertest';
import { ownHostOnly } from '../../src/http/sameOrigin.ts';
import { Forbidden } from '../../src/lib/errors.ts';

function appFor(appUrl: string, trustProxy = 0) {
  const app = express().set('trust proxy', trustProxy);
  app.use(ownHostOnly({ appUrl }), (_req, res) => void res.sendStatus(200));
  app.use((err: unknown, _req: Request, res: Response, _next: NextFunction) => {
    res.status(err instanceof Forbidden ? 403 : 500).json({ code: err instanceof Forbidden && err.code });
  });
  return (headers: Record<string, string>) => request(app).post('/').set(headers);
}

describe('An address that answers to its own name only', () => {
  const onInternet = appFor('https://forenoon.example');
  const onMachine = appFor('http://localhost:3000');

  it('takes its own host, without an origin or with its own', async () => {
    await onInternet({ Host: 'forenoon.example' }).expect(200);
    await onInternet({ Host: 'forenoon.example', Origin: 'https://forenoon.example' }).expect(200);
  });

  it('refuses every other host, which a site may point at it, loopback addresses among them', async () => {
    for (const Host of ['evil.example', 'forenoon.example.evil.example', '127.0.0.1', 'localhost:3000', '']) {
      const { body } = await onInternet({ Host }).expect(403);
      expect(body.code, Host).to.equal('FOREIGN_HOST');
    }
  });

  it('takes what a proxy says it was asked for only if that proxy is trusted', async () => {
    const headers = { Host: '10.0.0.7:3000', 'X-Forwarded-Host': 'forenoon.example' };
    await onInternet(headers).expect(403);
    await appFor('https://forenoon.example', 1)(headers).expect(200);
  });

  it('answers on a person’s own machine under each of its loopback addresses, and no other', async () => {
    for (const Host of ['localhost:3000', '127.0.0.1:3000', '[::1]:3000']) await onMachine({ Host }).expect(200);
    await onMachine({ Host: '127.0.0.1:3000', Origin: 'http://127.0.0.1:3000' }).expect(200);
    await onMachine({ Host: 'evil.example:3000' }).expect(403);
    await onMachine({ Host: '127.0.0.1:3000', Origin: 'http://evil.example:3000' }).expect(403);
    await onMachine({ Host: '127.0.0.1:3000', Origin: 'http://127.0.0.1:5173' }).expect(403);
  });
});
