import type { IRouter } from 'express';
import type { CrmContact } from '../../clients/crm/types.ts';
import { currentUser, parseInput, requireUser } from '../../http/request.ts';
import type { ReadLimiter } from '../../lib/readLimiter.ts';
import { createContact } from './createContact.ts';
import { pickContact, type SuggestDeps, suggestContacts } from './pickContact.ts';
import * as schema from './schema.ts';
import { type ContactsDeps, confirmMatch, ignoreDialog, listTrackedDialogs } from './service.ts';

export function contactsApi(api: IRouter, deps: ContactsDeps & SuggestDeps & { readLimiter: ReadLimiter }): void {
  api.use('/api/crm/contacts', requireUser);

  api.get('/api/crm/contacts/search', async (req, res) => {
    const userId = currentUser(req).id;
    const dialogs = await deps.readLimiter(userId, () => listTrackedDialogs(deps, { userId }));
    res.json({ contacts: dialogs.map(dialog => schema.listedContact.parse(dialog)) });
  });

  api.patch('/api/crm/contacts/search', async (req, res) => {
    const { dialogId, action } = parseInput(schema.decideInput, req.body);
    const decision = { userId: currentUser(req).id, dialogId };
    const { dialog } = action === 'confirm' ? await confirmMatch(deps, decision) : await ignoreDialog(deps, decision);
    res.json({ success: true, contact: schema.listedContact.parse(dialog) });
  });

  api.get('/api/crm/contacts/suggest', async (req, res) => {
    const { name = '' } = parseInput(schema.suggestInput, req.query);
    const suggestions = await suggestContacts(deps, { userId: currentUser(req).id, name });
    res.json({ suggestions: suggestions.map(toSuggestion) });
  });

  api.patch('/api/crm/contacts/match', async (req, res) => {
    const { dialogId, crmContactId, matchStatus } = parseInput(schema.matchInput, req.body);
    const decision = { userId: currentUser(req).id, dialogId, contactId: crmContactId, status: matchStatus };
    const { dialog } = await pickContact(deps, decision);
    res.json({ success: true, contact: schema.listedContact.parse(dialog) });
  });

  api.post('/api/crm/contacts/create', async (req, res) => {
    const { dialogId, ...details } = parseInput(schema.createInput, req.body);
    const { contact } = await createContact(deps, { userId: currentUser(req).id, dialogId, details });
    const { id, firstName: firstname, lastName: lastname, email } = contact;
    res.json({ success: true, contactId: id, contact: { id, firstname, lastname, email } });
  });
}

function toSuggestion({ id, firstName, lastName, email, company }: CrmContact): schema.SuggestionJson {
  return { id, firstname: firstName, lastname: lastName, email, company };
}
