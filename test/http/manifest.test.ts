import { expect } from 'chai';
import request from 'supertest';
import { z } from 'zod';
import { type Service, startService, stopServices } from '../support/service.ts';

const manifestJson = z.object({
  name: z.string().min(1),
  short_name: z.string().min(1).max(12),
  start_url: z.literal('/today'),
  scope: z.literal('/'),
  display: z.literal('standalone'),
  background_color: z.string(),
  theme_color: z.string(),
  icons: z.array(
    z.object({
      src: z.string(),
      sizes: z.string(),
      type: z.literal('image/png'),
      purpose: z.enum(['any', 'maskable']),
    }),
  ),
});

describe('The page on a home screen', () => {
  let service: Service;
  let page: string;
  before(async () => {
    service = await startService({ worker: false });
    page = (await request(service.url).get('/signin').expect(200)).text;
  });
  after(stopServices);

  async function manifest() {
    const [, href = ''] = page.match(/<link rel="manifest" href="([^"]+)">/) ?? [];
    const { headers, body } = await request(service.url).get(href).expect(200);
    return { href, headers, ...manifestJson.parse(body) };
  }

  it('has icons of the sizes they are said to have, kept for good', async () => {
    const { icons } = await manifest();
    const kinds = icons.map(({ sizes, purpose }) => `${purpose} ${sizes}`);
    expect(kinds).to.have.members(['any 192x192', 'any 512x512', 'maskable 192x192', 'maskable 512x512']);
    const [, touch = ''] = page.match(/<link rel="apple-touch-icon" href="([^"]+)">/) ?? [];
    for (const { src, sizes } of [...icons, { src: touch, sizes: '180x180' }]) {
      const { headers, body } = await request(service.url).get(src).expect(200).expect('content-type', 'image/png');
      expect(headers['cache-control'], src).to.include('immutable');
      expect(headers, src).not.to.have.property('content-encoding');
      // Width and height are at the head of a PNG (ISO/IEC 15948, 11.2.2).
      expect(`${body.readUInt32BE(16)}x${body.readUInt32BE(20)}`, src).to.equal(sizes);
    }
  });
});
