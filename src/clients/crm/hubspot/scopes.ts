/**
 * Contacts, the notes and tasks on them, and our own properties. Notes and tasks are covered by the scopes of contacts:
 * https://developers.hubspot.com/docs/api-reference/latest/crm/activities/notes/guide
 */
export const ACCOUNT_SCOPES = [
  'crm.objects.contacts.read',
  'crm.objects.contacts.write',
  'crm.schemas.contacts.read',
  'crm.schemas.contacts.write',
] as const;

/** Scopes of an app that people sign in to; a key has no `oauth`. The app's files in `docs/hubspot` have the same. */
export const APP_SCOPES = ['oauth', ...ACCOUNT_SCOPES] as const;
