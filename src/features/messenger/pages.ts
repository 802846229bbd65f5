import type { IRouter, Request, Response } from 'express';
import { z } from 'zod';
import { ClientError } from '../../clients/errors.ts';
import { hasKeys, type Renderer, setFlash } from '../../http/render.ts';
import { currentUser, isHtmx, parseInput, requireUser } from '../../http/request.ts';
import { NotFound } from '../../lib/errors.ts';
import { pageField } from '../../lib/fields.ts';
import { presentPages } from '../../lib/paging.ts';
import { getSettings } from '../base/settings/service.ts';
import type { AiService } from './consent/schema.ts';
import { getActiveChoices } from './consent/service.ts';
import type { Dialog } from './dialogs/schema.ts';
import { findProminenceToast, setTracked } from './dialogs/service.ts';
import { accountName, type DialogLink, floodBanner, presentDialog } from './present.ts';
import { listAccounts } from './repo.ts';
import { routeConsent } from './routeConsent.ts';
import { disconnect, type ListDeps, listDialogs } from './service.ts';

const ROWS_A_PAGE = 100;

/** `was`: the conversation just pinned or muted, without JavaScript. */
const listQuery = z.object({ page: pageField, was: z.string().max(200).optional().catch(undefined) });
/** `from`: the page of the switch, where that isn't the list. */
const trackForm = z.object({
  isTracked: z.enum(['true', 'false']).transform(value => value === 'true'),
  page: pageField,
  from: z.enum(['conversation', 'start']).optional().catch(undefined),
});

type MessengerPagesDeps = ListDeps & {
  render: Renderer;
  /** Undefined where the operator configured no model: then there is nothing to choose. */
  aiService: AiService | undefined;
  /** CRM links of these conversations, by conversation. */
  describeLinks(about: { userId: string; dialogIds: string[] }): Promise<ReadonlyMap<string, DialogLink>>;
};

export function messengerPages(pages: IRouter, deps: MessengerPagesDeps): void {
  disconnectPages(pages, deps);
  conversationPages(pages, deps);
  routeConsent(pages, deps);
}

function disconnectPages(pages: IRouter, deps: MessengerPagesDeps): void {
  pages.get('/settings/connections/:id/disconnect', requireUser, async (req, res) => {
    const accounts = await listAccounts(deps.db, currentUser(req).id);
    const account = accounts.find(({ id, status }) => id === req.params.id && status !== 'inactive');
    if (!account) throw new NotFound('connection');
    const data = { id: account.id, who: accountName(account) };
    deps.render.page(res, 'messenger/disconnect/index', data, { title: 'Disconnect Telegram', nav: 'settings' });
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
            text: 'We couldn’t reach Telegram. End the session there too: Settings, Devices.',
          },
    );
    // A full page load shows the outcome at the top.
    res.redirect(303, '/settings');
  });
}

function conversationPages(pages: IRouter, deps: MessengerPagesDeps): void {
  pages.get('/conversations', requireUser, async (req, res) => {
    const userId = currentUser(req).id;
    const { page, was } = listQuery.parse(req.query);
    const range = { offset: (page - 1) * ROWS_A_PAGE, limit: ROWS_A_PAGE };
    const { dialogs, total, retryAfterSeconds } = await listUnlessFlooded(deps, { userId, range });
    const { accounts, ...context } = await deps.readLimiter(userId, () => readListContext(deps, userId, dialogs));
    const data = {
      rows: dialogs.map(dialog => presentDialog(dialog, context)),
      done: await findProminenceToast(deps, { userId, token: was }),
      keys: hasKeys(req),
      here: page > 1 ? `/conversations?page=${page}` : '/conversations',
      aiService: deps.aiService,
      banner: floodBanner(accounts, total, context),
      total,
      page,
      pages: presentPages({ page, pages: Math.ceil(total / ROWS_A_PAGE), href: number => `/conversations?page=${number}` }),
    };
    if (retryAfterSeconds) res.set('Retry-After', String(retryAfterSeconds));
    const status = retryAfterSeconds ? 429 : 200;
    deps.render.page(res, 'messenger/conversations/index', data, { title: 'Conversations', nav: 'settings', status });
  });

  pages.post('/conversations/:id/track', requireUser, async (req, res) => {
    const { isTracked, ...place } = parseInput(trackForm, req.body);
    const change = { userId: currentUser(req).id, dialogId: String(req.params.id), isTracked };
    await showChanged(deps, req, res, await setTracked(deps, change), place);
  });
}

/** While Telegram may not be asked and nothing was listed before, the page is empty and says so. */
async function listUnlessFlooded(
  deps: MessengerPagesDeps,
  filter: Parameters<typeof listDialogs>[1],
): Promise<{ dialogs: Dialog[]; total: number; retryAfterSeconds?: number | undefined }> {
  try {
    return await listDialogs(deps, filter);
  } catch (err) {
    if (!(err instanceof ClientError) || err.kind !== 'rateLimited') throw err;
    return { dialogs: [], total: 0, retryAfterSeconds: err.retryAfterSeconds };
  }
}

async function showChanged(
  deps: MessengerPagesDeps,
  req: Request,
  res: Response,
  dialog: Dialog,
  { page, from }: Omit<z.output<typeof trackForm>, 'isTracked'>,
) {
  if (from === 'conversation') return res.redirect(303, `/conversations/${dialog.id}`);
  const list = page > 1 ? `/conversations?page=${page}` : '/conversations';
  const returnPath = from === 'start' ? '/start' : list;
  if (!isHtmx(req)) return res.redirect(303, returnPath);
  const row = presentDialog(dialog, await readListContext(deps, currentUser(req).id, [dialog]));
  deps.render.fragment(res, 'messenger/conversations/_conversation', { ...row, page, here: returnPath, from });
}

async function readListContext(deps: MessengerPagesDeps, userId: string, rows: Dialog[]) {
  const [config, accounts, choices, links] = await Promise.all([
    getSettings(deps, { userId }),
    listAccounts(deps.db, userId),
    getActiveChoices(deps, { userId }),
    deps.describeLinks({ userId, dialogIds: rows.map(({ id }) => id) }),
  ]);
  return { accounts, config, now: deps.clock.now(), aiService: deps.aiService, choices, links };
}
