import { Router } from 'express';
import { findCurrentSession } from '../../http/currentUser.ts';
import { ownPath } from '../../http/ownPath.ts';
import type { Renderer } from '../../http/render.ts';

type Deps = { render: Renderer; devSignIn: boolean; mailSignIn: boolean };

export function usersPages(deps: Deps): Router {
  const pages = Router();

  pages.get('/signin', (req, res) => {
    const asked = typeof req.query.callbackUrl === 'string' ? req.query.callbackUrl : undefined;
    const callbackUrl = ownPath(asked, req.get('host')) ?? '/today';
    if (findCurrentSession(req)) return res.redirect(302, callbackUrl);
    const { devSignIn, mailSignIn } = deps;
    deps.render.page(res, 'users/signin', { callbackUrl, devSignIn, mailSignIn }, { title: 'Sign in' });
  });

  return pages;
}
