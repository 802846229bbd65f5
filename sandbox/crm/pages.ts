import { type Request, Router, urlencoded } from 'express';
import { z } from 'zod';
import type { Pages } from '../pages/pages.ts';
import { mergedContacts } from './contacts.ts';
import { presentContact, presentList } from './presentContacts.ts';
import type { CrmRecord } from './records.ts';
import { Refusal } from './refusals.ts';
import { type CrmState, findRecord, type Portal } from './state.ts';

const listQuery = z.object({
  q: z.string().max(200).default('').catch(''),
  page: z.coerce.number().int().min(1).default(1).catch(1),
  account: z.string().optional().catch(undefined),
  done: z.enum(['deleted', 'merged']).optional().catch(undefined),
});
const mergeForm = z.object({ other: z.string().trim() });

/** As in the vendor's own addresses. */
const RECORD = '/contacts/:portalId/record/0-1/:id';

const NO_CONTACT = { problem: 'There is no such contact. It may have been deleted.' };
const DONE = { deleted: 'The contact is deleted.', merged: 'The contacts were merged.' };

/** The CRM's own pages: contacts, and the notes and tasks on them. */
export function crmPages(state: CrmState, { render, showProblem }: Pages): Router {
  const pages = Router();
  const readForm = urlencoded({ extended: false });

  pages.get('/', (req, res) => {
    const { q, page, account, done } = listQuery.parse(req.query);
    const portal = portalOf(account) ?? [...state.portals.values()][0];
    if (!portal) return showProblem(res, 404, { problem: 'There is no such account.' });
    const portals = [...state.portals.values()].map(({ id, name }) => ({ id, name, isCurrent: id === portal.id }));
    res.send(render('contacts', { ...presentList(portal, { q, page }), portals, notice: done && DONE[done] }));
  });

  pages.get(RECORD, (req, res) => {
    const { portal, contact } = asked(req);
    if (!portal || !contact) return showProblem(res, 404, NO_CONTACT);
    // A merged contact lives on under another id.
    if (contact.id !== req.params.id) return res.redirect(302, addressOf(portal, contact.id));
    const { done } = listQuery.parse(req.query);
    res.send(render('contact', { ...presentContact(portal, contact), notice: done && DONE[done] }));
  });

  pages.post(`${RECORD}/delete`, (req, res) => {
    const { portal, contact } = asked(req);
    if (!portal || !contact) return showProblem(res, 404, NO_CONTACT);
    state.save([{ ...contact, archivedAt: state.now() }]);
    res.redirect(303, `/?account=${encodeURIComponent(portal.id)}&done=deleted`);
  });

  pages.post(`${RECORD}/merge`, readForm, (req, res) => {
    const { portal, contact } = asked(req);
    const form = mergeForm.safeParse(req.body ?? {});
    if (!portal || !contact) return showProblem(res, 404, NO_CONTACT);
    try {
      const records = mergedContacts({ state, portal }, contact.id, form.data?.other ?? '');
      state.save(records);
      res.redirect(303, `${addressOf(portal, records[0]?.id ?? '')}?done=merged`);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const problem = 'They can’t be merged: give the record ID of another contact of this account.';
      showProblem(res, 400, { problem });
    }
  });

  function portalOf(id: string | undefined): Portal | undefined {
    return id === undefined ? undefined : state.portals.get(id);
  }

  function asked(req: Request): { portal: Portal | undefined; contact: CrmRecord | undefined } {
    const portal = portalOf(String(req.params.portalId));
    return { portal, contact: portal && findRecord(portal, 'contacts', String(req.params.id)) };
  }

  return pages;
}

function addressOf(portal: Portal, id: string): string {
  return `/contacts/${portal.id}/record/0-1/${id}`;
}
