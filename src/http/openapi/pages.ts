import type { IRouter, RequestHandler } from 'express';
import { once } from '../../lib/once.ts';
import type { Renderer } from '../render.ts';
import { type ApiDescription, presentDescription } from './present.ts';

/** The description of the API, for programs and for people. No session needed. */
export function openapiPages(
  routes: IRouter,
  { render, describe }: { render: Renderer; describe: () => ApiDescription },
): void {
  /** Made on the first request for it: most processes never get one. */
  const getDescription = once(describe);
  const asText = once(() => JSON.stringify(getDescription()));

  routes.get('/api/openapi.json', setCacheControl('public, max-age=300'), (_req, res) => {
    res.type('json').send(asText());
  });

  // The page has the reader's own theme and navigation around it.
  routes.get('/api/docs', setCacheControl('private, max-age=300'), (_req, res) => {
    const description = getDescription();
    const { title } = description.info;
    render.page(res.vary('Cookie'), 'openapi/index', presentDescription(description), { title, isWide: true });
  });
}

function setCacheControl(cacheControl: string): RequestHandler {
  return (_req, res, next) => {
    res.set('Cache-Control', cacheControl);
    next();
  };
}
