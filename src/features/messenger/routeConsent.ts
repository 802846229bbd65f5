import type { IRouter, Request, Response } from 'express';
import { type Renderer, setFlash } from '../../http/render.ts';
import { currentUser, fieldErrors, parseInput, requireUser } from '../../http/request.ts';
import type { Timed } from '../../lib/clock.ts';
import { NotFound } from '../../lib/errors.ts';
import { type ConsentScope, composeChoice, offersFor, sentencesToTell } from './consent/present.ts';
import { isInEffect } from './consent/rules.ts';
import { type AiService, fromForm, type NewChoice, writerInput } from './consent/schema.ts';
import { getActiveChoices, storeChoice } from './consent/service.ts';
import { dialogName } from './dialogs/rules.ts';
import { getReadable } from './dialogs/service.ts';
import { accountName } from './present.ts';
import { listAccounts } from './repo.ts';

type Deps = Timed & { render: Renderer; aiService: AiService | undefined };

/** A consent question with its subject and the page after the answer. */
type Question = {
  service: AiService;
  scope: ConsentScope;
  about: string;
  action: string;
  back: string;
  /** The answer that holds; none is preselected before there is one. */
  held: NewChoice['writer'] | undefined;
  store(choice: NewChoice): Promise<void>;
};

/** Consent questions for an account and for a conversation. */
export function routeConsent(pages: IRouter, deps: Deps): void {
  const ask = (path: string, questionOf: (deps: Deps, req: Request) => Promise<Question>) => {
    pages.get(path, requireUser, async (req, res) => {
      showConsentForm(deps, req, res, await questionOf(deps, req));
    });
    pages.post(path, requireUser, async (req, res) => answer(deps, req, res, await questionOf(deps, req)));
  };
  ask('/settings/connections/:id/writer', ofAccount);
  ask('/conversations/:id/writer', ofDialog);
}

/** Throws NotFound for another user's account, and for a disconnected one. */
async function ofAccount(deps: Deps, req: Request): Promise<Question> {
  const owned = { userId: currentUser(req).id, accountId: String(req.params.id) };
  const [accounts, { ofAccounts }] = await Promise.all([listAccounts(deps.db, owned.userId), getActiveChoices(deps, owned)]);
  const account = accounts.find(({ id, status }) => id === owned.accountId && status !== 'inactive');
  if (!account) throw new NotFound('connection');
  const about = accountName(account);
  const service = requireService(deps);
  const accountChoice = ofAccounts.get(owned.accountId);
  return {
    service,
    scope: 'account',
    about,
    held: accountChoice && isInEffect(accountChoice, service) ? accountChoice.writer : undefined,
    action: `/settings/connections/${owned.accountId}/writer`,
    back: '/settings#connections',
    store: choice => storeChoice(deps, { ...owned, dialogId: null }, choice),
  };
}

async function ofDialog(deps: Deps, req: Request): Promise<Question> {
  const owned = { userId: currentUser(req).id, dialogId: String(req.params.id) };
  const [dialog, { ofDialogs }] = await Promise.all([getReadable(deps.db, owned), getActiveChoices(deps, owned)]);
  const service = requireService(deps);
  const dialogChoice = ofDialogs.get(owned.dialogId);
  return {
    service,
    scope: dialog.peerType === 'user' ? 'person' : 'group',
    about: dialogName(dialog),
    held: dialogChoice && isInEffect(dialogChoice, service) ? dialogChoice.writer : undefined,
    action: `/conversations/${owned.dialogId}/writer`,
    back: `/conversations/${owned.dialogId}`,
    store: choice => storeChoice(deps, { ...owned, accountId: dialog.accountId }, choice),
  };
}

function requireService({ aiService }: Deps): AiService {
  if (!aiService) throw new NotFound('page');
  return aiService;
}

const BACK = { today: '/today', privacy: '/privacy#writer', start: '/start' } as const;

async function answer(deps: Deps, req: Request, res: Response, question: Question): Promise<void> {
  const { service, scope, back } = question;
  try {
    const { writer } = parseInput(writerInput, req.body);
    await question.store(composeChoice(writer, service, scope));
    const title = writer === 'model' ? `${service.model} writes these digests` : 'This server writes these digests';
    setFlash(req, { tone: 'ok', title, text: 'From the next digest on. Your choice is listed under Privacy.' });
    const { from } = fromForm.parse(req.body);
    res.redirect(303, from ? BACK[from] : back);
  } catch (err) {
    showConsentForm(deps, req, res, question, fieldErrors(err));
  }
}

function showConsentForm(
  { render }: Deps,
  req: Request,
  res: Response,
  { service, scope, ...question }: Question,
  errors: Record<string, string> = {},
): void {
  const { from } = fromForm.parse({ ...req.query, ...req.body });
  const title = 'Who writes your digests?';
  const data = {
    ...question,
    scope,
    errors,
    title,
    from,
    back: from ? BACK[from] : question.back,
    offers: offersFor(service, scope),
    sentences: sentencesToTell(service),
  };
  render.page(res, 'consent/index', data, { title, nav: 'settings', isRefused: Object.keys(errors).length > 0 });
}
