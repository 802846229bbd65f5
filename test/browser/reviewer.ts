import { contact, found, readerOf, suggestion, worldOf } from '../features/contacts/crmPeople.ts';
import { freePort } from '../support/freePort.ts';
import { connectCrm } from '../support/people.ts';
import { type Service, startService } from '../support/service.ts';

export type Reviewer = {
  service: Service;
  email: string;
  /** The conversation with someone of this name. */
  idOf(name: string): string;
  stateOf(name: string): Promise<{ match_status: string; crm_contact_id: string | null; match_confidence: number }>;
};

/**
 * The service with someone whose conversations wait for a decision: each name is matched by its likeness to a contact
 * of the CRM, with another one suggested. Without a worker: what is decided stays as it is.
 */
export async function startReviewer({ names, sure = [] }: { names: string[]; sure?: string[] }): Promise<Reviewer> {
  const people = [...names, ...sure].map(name => ({ name, username: sure.includes(name) ? handleOf(name) : '' }));
  const service = await startService({ port: await freePort(), crm: true, worker: false, worlds: [worldOf(people)] });
  const email = 'lena@example.com';
  const { agent, userId, idOf } = await readerOf(service, email);
  await connectCrm(service, agent);
  await service.db('crm_connections').update({ sure_matches_write: false });
  for (const name of names) {
    const [proposed, other] = ['Proposed', 'Other'].map(lastname =>
      service.crm.createContact({ firstname: name, lastname, company: 'Meridian Clinics' }),
    );
    await found({ service, userId }, idOf(name), {
      ...{ status: 'AUTO_NAME', confidence: 0.82, rule: 'name' },
      contact: contact({ id: proposed ?? '', firstName: name, lastName: 'Proposed' }),
      evidence: [{ field: 'name', verdict: 'similar', words: 'Similar name', ours: name, theirs: `${name} Proposed` }],
      suggestions: [suggestion({ id: other ?? '', firstName: name, lastName: 'Other' })],
    });
  }
  for (const name of sure) {
    const id = service.crm.createContact({ firstname: name, messenger_username: handleOf(name) });
    const proposed = contact({ id, firstName: name, messengerUsername: handleOf(name) });
    const verdict = { status: 'AUTO_USERNAME', confidence: 0.95, rule: 'username' } as const;
    await found({ service, userId }, idOf(name), { ...verdict, contact: proposed });
  }
  const stateOf = (name: string) =>
    service
      .db('dialogs')
      .where({ id: idOf(name) })
      .first('match_status', 'crm_contact_id', 'match_confidence');
  return { service, email, idOf, stateOf };
}

function handleOf(name: string): string {
  return name.toLowerCase().replaceAll(/\W/g, '_');
}
