import type { TypedPromise } from '../../../clients/summarizer/types.ts';
import type { AddAsked, AddForm, Fields } from './schema.ts';

/** Without accents and capitals. */
function wordsOf(text: string): string[] {
  const folded = text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
  return folded.split(/[^\p{L}\p{N}]+/u).filter(Boolean);
}

/** The only one whose name begins with a word of the text; undefined for none and for several. */
function findNamed<T extends { name: string }>(choices: readonly T[], text: string): T | undefined {
  const said = new Set(wordsOf(text));
  const [named, ...others] = choices.filter(({ name }) => said.has(wordsOf(name)[0] ?? ''));
  return others.length === 0 ? named : undefined;
}

/** What differs from what the fields held: a day and its hour are one field, and so is whose it is. */
export function fieldsEdited(typed: Fields, shown: Fields) {
  const isEdited = (...names: (keyof Fields)[]) => names.some(name => typed[name].trim() !== shown[name].trim());
  const { words, dueDate, dueTime, direction, who, kind } = typed;
  return {
    ...(isEdited('words') && { words }),
    ...(isEdited('dueDate', 'dueTime') && { dueDate: dueDate || null, dueTime: dueTime || null }),
    ...(isEdited('direction', 'who') && { direction, who: who || null }),
    ...(isEdited('kind') && { kind }),
  };
}

type About = AddAsked & { text: string; choices: readonly { id: string; name: string }[] };

/** What the form holds once a line was read: a promise of the user's, to the conversation asked for or named. */
export function fillIn(read: TypedPromise, { dialog, text, choices, messages, back }: About): AddForm {
  const { words, dueDate, dueTime } = read;
  return {
    ...{ words, dueDate: dueDate ?? '', dueTime: dueTime ?? '', direction: 'mine', who: '', kind: 'promise' },
    dialogId: dialog ?? findNamed(choices, text)?.id ?? '',
    ...{ messages, messagesOf: dialog ?? '', back },
  };
}

/** What was typed, as the API takes it. The messages are those of one conversation. */
export function toInput({ dueDate, dueTime, who, messages, messagesOf, back: _, ...typed }: AddForm) {
  return {
    ...typed,
    ...{ dueDate: dueDate || null, dueTime: dueTime || null, who: who || null },
    messageIds: typed.dialogId === messagesOf ? messages : [],
  };
}
