import { Router } from 'express';
import { z } from 'zod';
import { currentUser, requireUser } from '../../http/currentUser.ts';
import { setFlash } from '../../http/flash.ts';
import { isHtmx } from '../../http/htmx.ts';
import { parseInput } from '../../http/input.ts';
import { NotFound } from '../../lib/errors.ts';
import { setTracked } from '../dialogs/service.ts';
import { getSettings } from '../settings/service.ts';
import { disconnect } from './accounts.ts';
import { type ConnectPagesDeps, connectPages } from './connectPages.ts';
import { accountName } from './presentAccount.ts';
import { presentDialog } from './presentDialog.ts';
import { listAccounts, listDialogs } from './service.ts';

const ROWS_A_PAGE = 100;

const askedPage = z.object({ page: z.coerce.number().int().min(1).max(1000).catch(1) });
const trackForm = z.object({
  isTracked: z.enum(['true', 'false']).transform(value => value === 'true'),
  page: askedPage.shape.page,
});

export function messengerPages(deps: ConnectPagesDeps): Router {
  const pages = Router();
  pages.use(connectPages(deps), disconnectPages(deps), conversationPages(deps));
  return pages;
}

function disconnectPages(deps: ConnectPagesDeps): Router {
  const pages = Router();

  pages.get('/settings/connections/:id/disconnect', requireUser, async (req, res) => {
    const accounts = await listAccounts(deps, { userId: currentUser(req).id });
    const account = accounts.find(({ id, status }) => id === req.params.id && status !== 'inactive');
    if (!account) throw new NotFound('connection');
    const data = { id: account.id, who: accountName(account) };
    deps.render.page(res, 'messenger/disconnect', data, { title: 'Disconnect Telegram', nav: 'settings' });
  });

  pages.post('/settings/connections/:id/disconnect', requireUser, async (req, res) => {
    const { revoked } = await disconnect(deps, { userId: currentUser(req).id, accountId: String(req.params.id) });
    setFlash(
      req,
      revoked
        ? { tone: 'ok', title: 'Telegram is disconnected', text: 'The session is ended and erased. Your digests stay.' }
        : {
            tone: 'warn',
            title: 'Telegram is disconnected here',
            text: 'Telegram could not be told. End the session there too: Settings, Devices.',
          },
    );
    res.redirect(303, '/settings#connections');
  });

  return pages;
}

function conversationPages(deps: ConnectPagesDeps): Router {
  const pages = Router();

  pages.get('/conversations', requireUser, async (req, res) => {
    const userId = currentUser(req).id;
    const { page } = askedPage.parse(req.query);
    const config = await getSettings(deps, { userId });
    const dialogs = await listDialogs(deps, { userId });
    const rows = dialogs.slice((page - 1) * ROWS_A_PAGE, page * ROWS_A_PAGE);
    const data = {
      rows: rows.map(dialog => presentDialog(dialog, config, deps.clock.now())),
      total: dialogs.length,
      page,
      pages: pagesOf(page, Math.ceil(dialogs.length / ROWS_A_PAGE)),
    };
    deps.render.page(res, 'messenger/conversations', data, { title: 'Conversations', nav: 'settings' });
  });

  pages.post('/conversations/:id/track', requireUser, async (req, res) => {
    const userId = currentUser(req).id;
    const { isTracked, page } = parseInput(trackForm, req.body);
    const dialog = await setTracked(deps, { userId, dialogId: String(req.params.id), isTracked });
    if (!isHtmx(req)) return res.redirect(303, page > 1 ? `/conversations?page=${page}` : '/conversations');
    const row = presentDialog(dialog, await getSettings(deps, { userId }), deps.clock.now());
    deps.render.fragment(res, 'messenger/_conversation', { ...row, page });
  });

  return pages;
}

function pagesOf(page: number, pages: number) {
  return {
    words: pages > 1 ? `Page ${page} of ${pages}` : '',
    before: page > 1 ? `/conversations?page=${page - 1}` : undefined,
    next: page < pages ? `/conversations?page=${page + 1}` : undefined,
  };
}
