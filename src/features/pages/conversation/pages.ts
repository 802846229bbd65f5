import type { IRouter } from 'express';
import { z } from 'zod';
import { hasKeys, type Renderer } from '../../../http/render.ts';
import { currentUser, isHtmx, parseInput, requireUser } from '../../../http/request.ts';
import { pageField } from '../../../lib/fields.ts';
import type { Queue } from '../../../lib/queue.ts';
import { findProminenceToast } from '../../messenger/dialogs/service.ts';
import { describeChange } from '../../promises/list/present.ts';
import { decisionQuery } from '../../promises/list/schema.ts';
import { findChanged } from '../../promises/list/service.ts';
import { regenerateInput } from '../../sync/styleRewrites/schema.ts';
import { requestRewrite } from '../../sync/styleRewrites/service.ts';
import { describeEntry } from './describeTimeline.ts';
import { presentConversation } from './present.ts';
import { type ConversationDeps, type Entry, getConversation, getEntry } from './service.ts';

/** A wrong parameter shows the plain page instead of an error. */
const pageQuery = z.object({
  page: pageField,
  view: z.enum(['table']).optional().catch(undefined),
  /** The promise just decided, and the conversation before it was pinned or muted: both for the line with Undo. */
  changed: decisionQuery,
  was: z.string().max(200).optional().catch(undefined),
});

/** The state of the page around an entry. */
const timelineQuery = z.object({ page: pageField, writer: z.literal('once').optional().catch(undefined) });

const REFRESH_SECONDS = 4;
const POLL_SECONDS = 2;

type Deps = ConversationDeps & { queue: Queue; limitRewrite(userId: string): Promise<void>; render: Renderer };

/** A conversation with its digests by day, and the actions that change a digest there. */
export function conversationPages(pages: IRouter, deps: Deps): void {
  pages.get('/conversations/:dialogId', requireUser, async (req, res) => {
    const userId = currentUser(req).id;
    const { view, changed, was, ...which } = pageQuery.parse(req.query);
    const conversation = await getConversation(deps, { userId, dialogId: String(req.params.dialogId), ...which });
    const shown = presentConversation(conversation, { asTable: view === 'table' });
    const isWriting = shown.groups.some(({ entries }) => entries.some(entry => entry.digest?.rewrite?.isOpen));
    const here = `/conversations/${shown.id}${shown.page > 1 ? `?page=${shown.page}` : ''}`;
    const { today, timeOfDay } = conversation;
    const [decided, prominence] = await Promise.all([
      findChanged(deps, { userId, today, timeOfDay, decided: changed }),
      findProminenceToast(deps, { userId, token: was }),
    ]);
    const done = describeChange({ changed: decided, today }) ?? prominence;
    const data = { ...shown, here, done, keys: hasKeys(req), pollSeconds: POLL_SECONDS };
    if (isHtmx(req))
      return deps.render.fragment(res, 'conversation/_promises', { ...shown.promises, here, dialog: shown.id });
    const refreshSeconds = isWriting ? REFRESH_SECONDS : 0;
    deps.render.page(res, 'conversation/index', data, { title: shown.name, nav: 'today', refreshSeconds });
  });

  pages.get('/digests/:digestId/entry', requireUser, async (req, res) => {
    const entry = await getEntry(deps, { userId: currentUser(req).id, digestId: String(req.params.digestId) });
    if (!isHtmx(req)) return res.redirect(303, entryAddress(entry, 1));
    deps.render.fragment(res, 'conversation/_entryUpdate', entryView(entry, timelineQuery.parse(req.query)));
  });

  pages.post('/digests/:digestId/regenerate', requireUser, async (req, res) => {
    const owned = { userId: currentUser(req).id, digestId: String(req.params.digestId) };
    const { style } = parseInput(regenerateInput, req.body);
    await requestRewrite(deps, { ...owned, style });
    const entry = await getEntry(deps, owned);
    const shownIn = timelineQuery.parse(req.body);
    if (!isHtmx(req)) return res.redirect(303, entryAddress(entry, shownIn.page));
    deps.render.fragment(res, 'conversation/_entryUpdate', { ...entryView(entry, shownIn), takesFocus: true });
  });
}

function entryAddress({ dialog, row }: Entry, page: number): string {
  return `/conversations/${dialog.id}${page > 1 ? `?page=${page}` : ''}#e-${row.digest.id}`;
}

function entryView(entry: Entry, { page, writer }: z.output<typeof timelineQuery>) {
  const view = describeEntry(entry.row, entry);
  const isOver = !view.digest?.rewrite?.isOpen;
  const failed = view.digest?.rewrite?.words;
  const say = isOver ? (failed ?? `${view.day.name}’s digest was rewritten.`) : '';
  return { ...view, page, pollSeconds: POLL_SECONDS, say, saysWriter: writer !== 'once' };
}
