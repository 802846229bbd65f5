import type { Closing as FoundClosing, TypedPromise } from '../../clients/summarizer/types.ts';
import { localDay } from '../../lib/timezones.ts';
import { formatTimeOfDay } from '../../lib/words.ts';
import { splitSearchWords } from '../digests/rules.ts';
import {
  type AddForm,
  type AddQuery,
  type Evidence,
  type Fields,
  PROMISE_STATES,
  type PromiseKind,
  type PromiseState,
  type UserPromise,
} from './schema.ts';

/** States in which there is still something to do; `snoozed` is open again when its day comes. */
export const LIVE_STATES = ['open', 'snoozed'] as const satisfies PromiseState[];

/** Whether there is still something to do. */
export function isLivePromise({ state }: { state: PromiseState }): boolean {
  return LIVE_STATES.some(live => live === state);
}

/** Whether its day, or its hour on it, is over, and nothing suggests that it is settled. */
export function isOverdue({ standing, state, direction }: UserPromise): boolean {
  return standing === 'overdue' && state === 'open' && direction !== 'unassigned';
}

/** Whether the user is asked, wherever it is shown, if it is settled. */
export const isPerhapsSettled = ({ standing, isDoubtful }: UserPromise) => isDoubtful || standing === 'perhapsSettled';

/** States in which there is nothing left to do. */
export const SETTLED_STATES = ['done', 'cancelled', 'dismissed'] as const satisfies PromiseState[];

/** For this many days after its due day, Today and mails ask about a promise that is perhaps settled. The list of promises has no limit. */
export const ASKED_DAYS = 7;

/** States of the promises that count in their week. One that is no longer needed, or was no promise, doesn't count. */
export const WEEK_STATES = [...LIVE_STATES, 'done'] as const satisfies PromiseState[];

/** What a week counts as kept, however it was settled. Appointments and deadlines are neither owed nor kept. */
export const KEPT_IN_WEEK = { state: 'done', kind: 'promise' } as const satisfies { state: PromiseState; kind: PromiseKind };

/** A promise's moves, and the states each may start from, for every statement. Only time reopens a snoozed one. */
export const TRANSITIONS = {
  done: { to: 'done', from: LIVE_STATES },
  cancel: { to: 'cancelled', from: LIVE_STATES },
  dismiss: { to: 'dismissed', from: LIVE_STATES },
  snooze: { to: 'snoozed', from: LIVE_STATES },
  /** Reschedules; the old day is kept. */
  move: { to: 'open', from: LIVE_STATES },
  reopen: { to: 'open', from: PROMISE_STATES },
  /** The only digest with it was rewritten without it; a later mention restores it. */
  withdraw: { to: 'withdrawn', from: ['open'] },
  /** The user deleted its digests; only its CRM task remains until archived. */
  forget: { to: 'withdrawn', from: PROMISE_STATES },
  /** A digest says again what a rewrite had withdrawn. */
  comeBack: { to: 'open', from: ['withdrawn'] },
  /** Conclusions from new messages: kept or answered; called off, handed over or replaced; moved; perhaps over. */
  keep: { to: 'done', from: ['open'] },
  callOff: { to: 'cancelled', from: ['open'] },
  postpone: { to: 'open', from: ['open'] },
  doubt: { to: 'open', from: ['open'] },
  /** The day of an appointment or a deadline is over. */
  pass: { to: 'done', from: LIVE_STATES },
  /** Its task was completed or reopened in the CRM. */
  complete: { to: 'done', from: LIVE_STATES },
  uncomplete: { to: 'open', from: ['done'] },
} as const satisfies Record<string, { to: PromiseState; from: readonly PromiseState[] }>;

/** The moves that new messages make of what they say became of a promise. */
export const CLOSING_TRANSITIONS = {
  done: 'keep',
  cancelled: 'callOff',
  handedOver: 'callOff',
  moved: 'postpone',
  doubtful: 'doubt',
} as const satisfies Record<FoundClosing['state'], keyof typeof TRANSITIONS>;

/** The user's present day (YYYY-MM-DD) and time (HH:MM). */
export type UserMoment = { today: string; timeOfDay: string };

export const toUserMoment = (now: Date, timezone: string): UserMoment => ({
  today: localDay(now, timezone),
  timeOfDay: formatTimeOfDay(now, timezone),
});

export type UserTransition = 'done' | 'cancel' | 'dismiss' | 'snooze' | 'move' | 'reopen';

/** The only choice whose name begins with a word of the text; undefined if there is none, or more than one. */
function findNamedChoice<T extends { name: string }>(choices: readonly T[], text: string): T | undefined {
  const words = new Set(splitSearchWords(text));
  const [named, ...others] = choices.filter(({ name }) => words.has(splitSearchWords(name)[0] ?? ''));
  return others.length === 0 ? named : undefined;
}

/** The fields that differ from the shown values. Day and hour count as one field; so do the side and the name of who owes it. */
export function findEditedFields(typed: Fields, shown: Fields) {
  const isEdited = (...names: (keyof Fields)[]) => names.some(name => typed[name].trim() !== shown[name].trim());
  const { words, dueDate, dueTime, direction, who, kind } = typed;
  return {
    ...(isEdited('words') && { words }),
    ...(isEdited('dueDate', 'dueTime') && { dueDate: dueDate || null, dueTime: dueTime || null }),
    ...(isEdited('direction', 'who') && { direction, who: who || null }),
    ...(isEdited('kind') && { kind }),
  };
}

type AddFormContext = AddQuery & { text: string; choices: readonly { id: string; name: string }[] };

/** Fills the form from a typed line: a promise of the user's, to the conversation that was asked for or named. */
export function prefillForm(read: TypedPromise, { dialog, text, choices, messages, back }: AddFormContext): AddForm {
  const { words, dueDate, dueTime } = read;
  return {
    words,
    dueDate: dueDate ?? '',
    dueTime: dueTime ?? '',
    direction: 'mine',
    who: '',
    kind: 'promise',
    dialogId: dialog ?? findNamedChoice(choices, text)?.id ?? '',
    messages,
    messagesOf: dialog ?? '',
    back,
  };
}

export function formToInput({ dueDate, dueTime, who, messages, messagesOf, back: _, ...typed }: AddForm) {
  return {
    ...typed,
    dueDate: dueDate || null,
    dueTime: dueTime || null,
    who: who || null,
    messageIds: typed.dialogId === messagesOf ? messages : [],
  };
}

/** The id of another conversation's message, as evidence has it: known again after an undo, but without a link or words. */
export const foreignMessageId = (dialogId: string, messageId: string) => `${dialogId}:${messageId}`;

/** The quoted words of a message; none if the evidence is a change to a task in the CRM, or in another conversation. */
export function quotedWords({ words, messageIds }: Evidence): string {
  const newest = messageIds.at(-1);
  return newest !== undefined && !newest.includes(':') ? words : '';
}
