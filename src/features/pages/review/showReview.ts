import type { Request, Response } from 'express';
import { z } from 'zod';
import { ClientError } from '../../../clients/errors.ts';
import { toOwnPath } from '../../../http/ownPath.ts';
import { hasKeys, type Renderer, setFlash } from '../../../http/render.ts';
import { currentUser, isHtmx } from '../../../http/request.ts';
import { AppError } from '../../../lib/errors.ts';
import { describeOutage } from '../../../lib/failures.ts';
import { localDay } from '../../../lib/timezones.ts';
import { formatNearDay, isolateDirection, isolateName } from '../../../lib/words.ts';
import { contactName } from '../../contacts/matching/compareWithContact.ts';
import { describeLinks } from '../../contacts/matching/describeLinks.ts';
import { type SuggestDeps, suggestContacts } from '../../contacts/pickContact.ts';
import type { ContactsDeps } from '../../contacts/service.ts';
import { dialogName } from '../../messenger/dialogs/rules.ts';
import type { Dialog } from '../../messenger/dialogs/schema.ts';
import { describeCase, presentCandidate } from './describeCase.ts';
import { presentReview } from './present.ts';
import { countToReview, findUndoableDecision, getMatched, getReview, type Review, VIEWS, type View } from './service.ts';

export type ReviewPagesDeps = ContactsDeps &
  SuggestDeps & {
    render: Renderer;
    /** Today's counts after a decision made there, if `here` is its address; supplied by that page. */
    countToday(about: { userId: string; here: string }): Promise<object | undefined>;
  };

/** For browsers without JavaScript, and only while no conversation is shown. */
const REFRESH_SECONDS = 6;

export const viewField = z.enum(VIEWS).optional().catch(undefined);

/** The input of the form for a new contact, and its errors. */
export type CreateForm = {
  typed: { firstname: string; lastname: string; company: string; email: string; phone: string };
  errors: Record<string, string>;
  /** The contact that the CRM already has, to be linked instead. */
  existing?: ReturnType<typeof presentCandidate> | undefined;
  problem?: string | undefined;
  /** Contacts with the same name, to which this one would be added as a third. */
  namesakes?: Namesakes | undefined;
};

export type Namesakes = { title: string; text: string; rows: ReturnType<typeof presentCandidate>[] };

type ReviewView = {
  view: View | undefined;
  dialogId: string | undefined;
  /** A name to search for in the CRM. */
  search?: string | undefined;
  form?: CreateForm | ((dialog: Dialog) => CreateForm);
  /** The decision to report, with Undo. */
  done?: string | null | undefined;
  say?: string;
  takesFocus?: boolean;
  status?: number;
};

/** The page, or for htmx the part of it that changes, with the counts elsewhere on it. */
export async function showReview(deps: ReviewPagesDeps, req: Request, res: Response, shown: ReviewView): Promise<void> {
  const userId = currentUser(req).id;
  const mustShow = shown.form !== undefined || (shown.search !== undefined && shown.dialogId !== undefined);
  const [review, found, done] = await Promise.all([
    getReview(deps, { userId, view: shown.view, dialogId: shown.dialogId, mustShow }),
    searchResults(deps, userId, shown.search),
    shown.done ? findUndoableDecision(deps, { userId, token: shown.done }) : undefined,
  ]);
  const linkedId = review.current?.dialog.crmContactId;
  const search = found && { ...found, found: found.found.filter(({ id }) => id !== linkedId) };
  const page = presentReview(review);
  const form = typeof shown.form === 'function' ? review.current && shown.form(review.current.dialog) : shown.form;
  const data = {
    ...page,
    case: review.current && describeCase(review.current, { ...deps, ...review }),
    digest: presentLastDigest(deps, review),
    search,
    form,
    address: form ? undefined : reviewAddress({ view: review.view, id: review.current?.dialog.id }),
    done,
    say: shown.say ?? done?.words,
    takesFocus: shown.takesFocus ?? false,
    keys: hasKeys(req),
  };
  const status = shown.status ?? 200;
  if (isHtmx(req)) return deps.render.fragment(res, 'review/_update', { ...data, status }, status);
  const isIdle = !page.matching?.isRunning || review.current !== undefined;
  const about = { title: page.title, status, isRefused: status !== 200, nav: 'contacts', isWide: true } as const;
  deps.render.page(res, 'review/index', data, { ...about, refreshSeconds: isIdle ? 0 : REFRESH_SECONDS });
}

function presentLastDigest(deps: ReviewPagesDeps, { digest, current, timezone }: Review) {
  if (!digest || !current) return undefined;
  const summary = isolateName(digest.summary, dialogName(current.dialog));
  const when = formatNearDay(digest.day, localDay(deps.clock.now(), timezone));
  return { ...digest, summary, when: /^(Today|Yesterday)$/.test(when) ? when.toLowerCase() : when };
}

/** If the CRM fails, shows the error in place of the results. */
async function searchResults(deps: ReviewPagesDeps, userId: string, typed: string | undefined) {
  if (typed === undefined) return undefined;
  const name = typed.slice(0, 300);
  try {
    const found = await suggestContacts(deps, { userId, name });
    return { typed: name, found: found.map(presentCandidate), problem: '' };
  } catch (err) {
    if (!(err instanceof AppError) && !(err instanceof ClientError)) throw err;
    const problem = err instanceof AppError ? err.message : crmSentence(err);
    return { typed: name, found: [], problem };
  }
}

export function crmSentence(err: ClientError): string {
  const { sentence, advice } = describeOutage(err);
  return `${sentence} ${advice}`;
}

export function reviewAddress(query: { view?: string; id?: string | undefined; done?: string | undefined }): string {
  const entries = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return entries.length > 0 ? `/contacts?${new URLSearchParams(entries)}` : '/contacts';
}

type ElsewhereDialog = { userId: string; dialogId: string; from: 'today' | 'conversations' };

/** Shows a match confirmed on another page: the decision stays there, with Undo, until the next load. */
export async function showConfirmed(
  deps: ReviewPagesDeps,
  req: Request,
  res: Response,
  { token, ...owned }: ElsewhereDialog & { token: string | null },
): Promise<void> {
  const { dialog, state } = await getMatched(deps, owned);
  const name = dialog.crmContactName ?? (state.contact && contactName(state.contact)) ?? 'the contact';
  const company = state.contact?.company ?? '';
  const who = [name, ...(company && company !== name ? [company] : [])].map(isolateDirection).join(', ');
  if (!isHtmx(req)) {
    setFlash(req, {
      tone: 'ok',
      title: `Confirmed: ${who}`,
      text: 'Their notes go to the CRM. You can undo it under Contacts.',
    });
    return res.redirect(303, `/${owned.from}`);
  }
  const data = { name, company: company === name ? '' : company, token, from: owned.from };
  const counts = await countsElsewhere(deps, req, owned);
  const say = `Confirmed: ${who}. Their notes go to the CRM.`;
  deps.render.fragment(res, 'shared/contact/_confirmed', { ...data, ...counts, say });
}

/** Undoes a confirmation on another page: the match is a question again. */
export async function showUndone(
  deps: ReviewPagesDeps,
  req: Request,
  res: Response,
  { userId, from, dialogId }: Omit<ElsewhereDialog, 'dialogId'> & { dialogId: string | undefined },
) {
  const counts = await countsElsewhere(deps, req, { userId, from });
  const link = dialogId && (await describeLinks(deps, { userId, dialogIds: [dialogId] })).get(dialogId);
  const data = { link, id: dialogId, from, takesFocus: true };
  deps.render.fragment(res, 'shared/contact/_unconfirmed', { ...data, ...counts, say: 'Undone' });
}

/** The numbers that a decision changes: in the navigation, and on Today. */
async function countsElsewhere(
  deps: ReviewPagesDeps,
  req: Request,
  { userId, from }: Pick<ElsewhereDialog, 'userId' | 'from'>,
) {
  const here = toOwnPath(req.get('hx-current-url'), req.get('host')) ?? '/today';
  const [toReview, counts] = await Promise.all([
    countToReview(deps, { userId }),
    from === 'today' ? deps.countToday({ userId, here }) : undefined,
  ]);
  return { toReview, counts };
}
