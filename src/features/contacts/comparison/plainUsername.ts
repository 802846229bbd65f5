/** What the messenger's own rules allow in a username; anything else in the CRM's field is a remark. */
const USERNAME = /^[a-z][a-z0-9_]{2,31}$/;

/** A username as typed, in lower case and without @ and t.me/; '' when it isn't one. */
export function plainUsername(noted: string): string {
  const name = noted
    .trim()
    .toLowerCase()
    .replace(/^(?:https?:\/\/)?(?:www\.)?(?:t|telegram)\.(?:me|dog)\//, '')
    .replace(/^tg:\/\/resolve\?domain=/, '')
    .replace(/^@/, '')
    .split(/[/?]/, 1)
    .join();
  return USERNAME.test(name) ? name : '';
}
