import { dialogName } from '../messenger/dialogs/rules.ts';
import type { DialogChoice } from './repo.ts';
import {
  type AddForm,
  type Fields,
  MAX_WHO_LENGTH,
  type PromiseJson,
  type PromiseKind,
  promiseJson,
  type UserPromise,
} from './schema.ts';

/** Leaves out what only pages show. */
const jsonFields = promiseJson.strip();

export function toJson(row: UserPromise): PromiseJson {
  const { peerName, peerUsername } = row;
  return jsonFields.parse({ ...row, changedAt: row.changedAt.toISOString(), dialog: { peerName, peerUsername } });
}

const KIND_LABELS: Record<PromiseKind, string> = { promise: 'Promise', appointment: 'Appointment', deadline: 'Deadline' };
const OTHER_SIDE = 'The other side';

/** Conversations by name, as a field offers them. */
export function presentChoices(choices: readonly DialogChoice[]) {
  const named = choices.map(dialog => ({ id: dialog.id, name: dialogName(dialog) }));
  return named.sort((a, b) => a.name.localeCompare(b.name, 'en'));
}
export type NamedChoice = ReturnType<typeof presentChoices>[number];

type Errors = Record<string, string>;

/** The form that adds a promise, as `views/shared/promise/_form` prints it. */
export function presentAddForm(typed: Omit<AddForm, 'back'>, choices: NamedChoice[], errors: Errors, back: string) {
  const chosen = choices.find(({ id }) => id === typed.dialogId);
  return {
    ...presentFields(typed, errors, chosen?.name ?? OTHER_SIDE),
    action: '/promises/new',
    title: 'Add a promise',
    submit: 'Add promise',
    busy: 'Adding…',
    back,
    choices: choices.map(choice => ({ ...choice, isChosen: choice === chosen })),
    messages: typed.messages.join(','),
    messagesOf: typed.messagesOf,
  };
}

type EditFormState = { typed: Fields; shown: Fields; errors: Errors; back: string; isRefused: boolean };

/** The form that edits a promise, as `views/shared/promise/_form` prints it. */
export function presentEditForm(promise: UserPromise, { typed, shown, errors, back, isRefused }: EditFormState) {
  const name = dialogName(promise);
  return {
    ...presentFields(typed, errors, name),
    action: `/promises/${promise.id}/edit`,
    title: 'Edit a promise',
    submit: 'Save',
    busy: 'Saving…',
    back,
    name,
    shown: JSON.stringify(shown),
    dueText: promise.dueDate ? '' : (promise.dueText ?? ''),
    isRefused,
    closed: `/promises?view=closed&dialog=${promise.dialogId}`,
  };
}

function presentFields({ words, dueDate, dueTime, direction, who, kind }: Fields, errors: Errors, otherSide: string) {
  const sides = { mine: 'You', theirs: otherSide, unassigned: 'No one named' };
  const optionsOf = (labels: Record<string, string>, chosen: string) =>
    Object.entries(labels).map(([value, label]) => ({ value, label, isChosen: value === chosen }));
  return {
    words,
    dueDate,
    dueTime,
    who,
    errors,
    longestWho: MAX_WHO_LENGTH,
    sides: optionsOf(sides, direction),
    kinds: optionsOf(KIND_LABELS, kind),
  };
}

/** The values of the form before anything is typed. */
export function formFields({ words, dueDate, dueTime, direction, who, kind }: UserPromise): Fields {
  // The user's own needs no name.
  const person = direction === 'mine' ? '' : (who ?? '');
  return { words, dueDate: dueDate ?? '', dueTime: dueTime ?? '', direction, who: person, kind };
}
