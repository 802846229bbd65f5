import { Router } from 'express';
import { findCurrentSession } from '../../http/currentUser.ts';
import type { Renderer } from '../../http/render.ts';
import { presentPrivacy, type Services } from './presentPrivacy.ts';

type Deps = { render: Renderer; services: Services };

/** Open to everybody: people want to know before they sign in. */
export function privacyPages({ render, services }: Deps): Router {
  const pages = Router();
  const data = presentPrivacy(services);

  pages.get('/privacy', (req, res) => {
    const isSignedIn = findCurrentSession(req) !== undefined;
    const nav = isSignedIn ? { nav: 'settings' as const } : {};
    render.page(res, 'account/privacy', { ...data, isSignedIn }, { title: 'How your data is used', ...nav });
  });

  return pages;
}
