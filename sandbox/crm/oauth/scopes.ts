/** The scopes an app can ask for, in words for the consent page. */
const WORDS: Record<string, string> = {
  oauth: 'Know which account this is',
  'crm.objects.contacts.read': 'Read contacts, and the notes and tasks on them',
  'crm.objects.contacts.write': 'Create, change and delete contacts, and the notes and tasks on them',
  'crm.schemas.contacts.read': 'See which properties contacts have',
  'crm.schemas.contacts.write': 'Add properties to contacts',
  'conversations.custom_channels.read': 'Read messages of its own channels',
  'conversations.custom_channels.write': 'Send messages through its own channels',
};

export function scopeInWords(scope: string): string {
  return WORDS[scope] ?? scope;
}

/** Scopes are separated by spaces. */
export function scopesIn(text: string): string[] {
  return [...new Set(text.split(/\s+/).filter(scope => scope !== ''))];
}
